<?php

function openssl_x509_check_private_key(OpenSSLCertificate|string $certificate, #[SensitiveParameter] $private_key): bool {}

function openssl_x509_checkpurpose(OpenSSLCertificate|string $certificate, int $purpose, array $ca_info = [], ?string $untrusted_certificates_file = null): int|bool {}

function openssl_x509_export(OpenSSLCertificate|string $certificate, &$output, bool $no_text = true): bool {}

function openssl_x509_export_to_file(OpenSSLCertificate|string $certificate, string $output_filename, bool $no_text = true): bool {}

function openssl_x509_fingerprint(OpenSSLCertificate|string $certificate, string $digest_algo = "sha1", bool $binary = false): string|false {}

#[Deprecated(since: '8.0', message: 'as OpenSSLCertificate objects are freed automatically')]
function openssl_x509_free(OpenSSLCertificate $certificate): void {}

function openssl_x509_parse(OpenSSLCertificate|string $certificate, bool $short_names = true): array|false {}

function openssl_x509_read(OpenSSLCertificate|string $certificate): OpenSSLCertificate|false {}

function openssl_x509_verify(OpenSSLCertificate|string $certificate, $public_key): int {}

function openssl_get_cert_locations(): array {}

/**
 * @hooks crate::x509::HOOKS
 * @strict-properties
 * @not-serializable
 */
final class OpenSSLCertificate
{
}
