<?php

const HASH_HMAC = 1;

function hash(string $algo, string $data, bool $binary = false, array $options = []): string {}

function hash_algos(): array {}

function hash_copy(HashContext $context): HashContext {}

/**
 * @unchecked $known_string
 * @unchecked $user_string
 */
function hash_equals(#[SensitiveParameter] string $known_string, #[SensitiveParameter] string $user_string): bool {}

function hash_file(string $algo, string $filename, bool $binary = false, array $options = []): string|false {}

function hash_hmac_file(string $algo, string $filename, #[SensitiveParameter] string $key, bool $binary = false): string|false {}

function hash_update_file(HashContext $context, string $filename, $stream_context = null): bool {}

function hash_update_stream(HashContext $context, $stream, int $length = -1): int {}

function hash_final(HashContext $context, bool $binary = false): string {}

function hash_hkdf(string $algo, #[SensitiveParameter] string $key, int $length = 0, string $info = "", string $salt = ""): string {}

function hash_hmac(string $algo, string $data, #[SensitiveParameter] string $key, bool $binary = false): string {}

function hash_hmac_algos(): array {}

function hash_init(string $algo, int $flags = 0, #[SensitiveParameter] string $key = "", array $options = []): HashContext {}

function hash_pbkdf2(string $algo, #[SensitiveParameter] string $password, string $salt, int $iterations, int $length = 0, bool $binary = false, array $options = []): string {}

function hash_update(HashContext $context, string $data): true {}

/**
 * @rust crate::hash_context
 * @hooks crate::hash_context::HOOKS
 */
final class HashContext
{
    private function __construct() {}

    public function __serialize(): array {}

    public function __unserialize(array $data): void {}

    public function __debugInfo(): array {}
}
