<?php

const CRYPT_SALT_LENGTH = 123;
const CRYPT_STD_DES = 1;
const CRYPT_EXT_DES = 1;
const CRYPT_MD5 = 1;
const CRYPT_BLOWFISH = 1;
const CRYPT_SHA256 = 1;
const CRYPT_SHA512 = 1;
const PASSWORD_DEFAULT = '2y';
const PASSWORD_BCRYPT = '2y';
const PASSWORD_BCRYPT_DEFAULT_COST = 12;
const PASSWORD_ARGON2I = 'argon2i';
const PASSWORD_ARGON2ID = 'argon2id';
const PASSWORD_ARGON2_PROVIDER = 'standard';
const PASSWORD_ARGON2_DEFAULT_MEMORY_COST = 65536;
const PASSWORD_ARGON2_DEFAULT_TIME_COST = 4;
const PASSWORD_ARGON2_DEFAULT_THREADS = 1;

function crypt(#[SensitiveParameter] string $string, string $salt): string {}

function password_algos(): array {}

function password_get_info(string $hash): array {}

function password_hash(#[SensitiveParameter] string $password, string|int|null $algo, array $options = []): string {}

function password_needs_rehash(string $hash, string|int|null $algo, array $options = []): bool {}

function password_verify(#[SensitiveParameter] string $password, string $hash): bool {}

function uniqid(string $prefix = "", bool $more_entropy = false): string {}

function version_compare(string $version1, string $version2, ?string $operator = null): int|bool {}
