<?php

function mb_convert_encoding(array|string $string, string $to_encoding, array|string|null $from_encoding = null): array|string|false {}

/** @absent $strict */
function mb_detect_encoding(string $string, array|string|null $encodings = null, bool $strict = false): string|false {}

function mb_check_encoding(array|string|null $value = null, ?string $encoding = null): bool {}

function mb_scrub(string $string, ?string $encoding = null): string {}

function mb_chr(int $codepoint, ?string $encoding = null): string|false {}

function mb_ord(string $string, ?string $encoding = null): int|false {}

function mb_encode_numericentity(string $string, array $map, ?string $encoding = null, bool $hex = false): string {}

function mb_decode_numericentity(string $string, array $map, ?string $encoding = null): string {}

function mb_convert_variables(string $to_encoding, array|string $from_encoding, mixed &$var, mixed &...$vars): string|false {}

function mb_list_encodings(): array {}

function mb_encoding_aliases(string $encoding): array {}

function mb_preferred_mime_name(string $encoding): string|false {}

function mb_convert_kana(string $string, string $mode = "KV", ?string $encoding = null): string {}
