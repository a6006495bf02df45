<?php

function openssl_dh_compute_key(string $public_key, #[SensitiveParameter] OpenSSLAsymmetricKey $private_key): string|false {}

#[Deprecated(since: '8.0', message: 'as OpenSSLAsymmetricKey objects are freed automatically')]
function openssl_free_key(OpenSSLAsymmetricKey $key): void {}

function openssl_get_curve_names(): array|false {}

/** @alias openssl_pkey_get_private */
function openssl_get_privatekey(#[SensitiveParameter] $private_key, #[SensitiveParameter] ?string $passphrase = null): OpenSSLAsymmetricKey|false {}

/** @alias openssl_pkey_get_public */
function openssl_get_publickey($public_key): OpenSSLAsymmetricKey|false {}

function openssl_pkey_derive($public_key, #[SensitiveParameter] $private_key, int $key_length = 0): string|false {}

function openssl_pkey_export(#[SensitiveParameter] $key, &$output, #[SensitiveParameter] ?string $passphrase = null, ?array $options = null): bool {}

function openssl_pkey_export_to_file(#[SensitiveParameter] $key, string $output_filename, #[SensitiveParameter] ?string $passphrase = null, ?array $options = null): bool {}

#[Deprecated(since: '8.0', message: 'as OpenSSLAsymmetricKey objects are freed automatically')]
function openssl_pkey_free(OpenSSLAsymmetricKey $key): void {}

function openssl_pkey_get_details(OpenSSLAsymmetricKey $key): array|false {}

function openssl_pkey_get_private(#[SensitiveParameter] $private_key, #[SensitiveParameter] ?string $passphrase = null): OpenSSLAsymmetricKey|false {}

function openssl_pkey_get_public($public_key): OpenSSLAsymmetricKey|false {}

function openssl_pkey_new(?array $options = null): OpenSSLAsymmetricKey|false {}

/**
 * @hooks crate::key::HOOKS
 * @strict-properties
 * @not-serializable
 */
final class OpenSSLAsymmetricKey
{
}
