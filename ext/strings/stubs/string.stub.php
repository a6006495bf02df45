<?php

const STR_PAD_LEFT = 0;
const STR_PAD_RIGHT = 1;
const STR_PAD_BOTH = 2;

/** @alias rtrim */
function chop(string $string, string $characters = " \n\r\t\v\x00"): string {}

/** @foldable */
function chr(int $codepoint): string {}

/** @foldable */
function hebrev(string $string, int $max_chars_per_line = 0): string {}

/** @foldable */
function lcfirst(string $string): string {}

function ltrim(string $string, string $characters = " \n\r\t\v\x00"): string {}

/** @foldable */
function ord(string $character): int {}

function rtrim(string $string, string $characters = " \n\r\t\v\x00"): string {}

/** @foldable */
function str_contains(string $haystack, string $needle): bool {}

/** @foldable */
function str_ends_with(string $haystack, string $needle): bool {}

function str_pad(string $string, int $length, string $pad_string = " ", int $pad_type = STR_PAD_RIGHT): string {}

function str_repeat(string $string, int $times): string {}

/** @foldable */
function str_starts_with(string $haystack, string $needle): bool {}

/** @alias strstr */
function strchr(string $haystack, string $needle, bool $before_needle = false): string|false {}

/** @foldable */
function strcoll(string $string1, string $string2): int {}

/** @foldable */
function strcspn(string $string, string $characters, int $offset = 0, ?int $length = null): int {}

function stripos(string $haystack, string $needle, int $offset = 0): int|false {}

/** @foldable */
function stristr(string $haystack, string $needle, bool $before_needle = false): string|false {}

/** @foldable */
function strnatcasecmp(string $string1, string $string2): int {}

/** @foldable */
function strnatcmp(string $string1, string $string2): int {}

function strpbrk(string $string, string $characters): string|false {}

function strpos(string $haystack, string $needle, int $offset = 0): int|false {}

/** @foldable */
function strrchr(string $haystack, string $needle, bool $before_needle = false): string|false {}

/** @foldable */
function strrev(string $string): string {}

function strripos(string $haystack, string $needle, int $offset = 0): int|false {}

function strrpos(string $haystack, string $needle, int $offset = 0): int|false {}

/** @foldable */
function strspn(string $string, string $characters, int $offset = 0, ?int $length = null): int {}

/** @foldable */
function strstr(string $haystack, string $needle, bool $before_needle = false): string|false {}

/** @foldable */
function strtolower(string $string): string {}

/** @foldable */
function strtoupper(string $string): string {}

/** @foldable */
function substr(string $string, int $offset, ?int $length = null): string {}

function substr_compare(string $haystack, string $needle, int $offset, ?int $length = null, bool $case_insensitive = false): int {}

function substr_count(string $haystack, string $needle, int $offset = 0, ?int $length = null): int {}

function substr_replace(array|string $string, array|string $replace, array|int $offset, array|int|null $length = null): array|string {}

function trim(string $string, string $characters = " \n\r\t\v\x00"): string {}

/** @foldable */
function ucfirst(string $string): string {}

function ucwords(string $string, string $separators = " \t\r\n\f\v"): string {}

function str_shuffle(string $string): string {}
