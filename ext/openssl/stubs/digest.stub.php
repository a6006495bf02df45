<?php

function openssl_digest(string $data, string $digest_algo, bool $binary = false): string|false {}

function openssl_get_md_methods(bool $aliases = false): array {}

function openssl_pbkdf2(#[SensitiveParameter] string $password, string $salt, int $key_length, int $iterations, string $digest_algo = "sha1"): string|false {}

function openssl_random_pseudo_bytes(int $length, &$strong_result = null): string {}
