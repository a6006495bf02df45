<?php

function openssl_sign(string $data, &$signature, #[SensitiveParameter] $private_key, string|int $algorithm = OPENSSL_ALGO_SHA1): bool {}

function openssl_verify(string $data, string $signature, $public_key, string|int $algorithm = OPENSSL_ALGO_SHA1): int|false {}

function openssl_private_encrypt(#[SensitiveParameter] string $data, &$encrypted_data, #[SensitiveParameter] $private_key, int $padding = OPENSSL_PKCS1_PADDING): bool {}

function openssl_private_decrypt(string $data, #[SensitiveParameter] &$decrypted_data, #[SensitiveParameter] $private_key, int $padding = OPENSSL_PKCS1_PADDING): bool {}

function openssl_public_encrypt(#[SensitiveParameter] string $data, &$encrypted_data, $public_key, int $padding = OPENSSL_PKCS1_PADDING): bool {}

function openssl_public_decrypt(string $data, #[SensitiveParameter] &$decrypted_data, $public_key, int $padding = OPENSSL_PKCS1_PADDING): bool {}
