<?php

function openssl_cipher_iv_length(string $cipher_algo): int|false {}

function openssl_cipher_key_length(string $cipher_algo): int|false {}

function openssl_encrypt(#[SensitiveParameter] string $data, string $cipher_algo, #[SensitiveParameter] string $passphrase, int $options = 0, string $iv = "", &$tag = null, string $aad = "", int $tag_length = 16): string|false {}

function openssl_decrypt(string $data, string $cipher_algo, #[SensitiveParameter] string $passphrase, int $options = 0, string $iv = "", ?string $tag = null, string $aad = ""): string|false {}

function openssl_get_cipher_methods(bool $aliases = false): array {}

function openssl_seal(#[SensitiveParameter] string $data, &$sealed_data, &$encrypted_keys, array $public_key, string $cipher_algo, &$iv = null): int|false {}

function openssl_open(string $data, #[SensitiveParameter] &$output, string $encrypted_key, #[SensitiveParameter] $private_key, string $cipher_algo, ?string $iv = null): bool {}
