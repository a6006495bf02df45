<?php

const MB_ONIGURUMA_VERSION = "6.9.10";
const MB_CASE_UPPER = 0;
const MB_CASE_LOWER = 1;
const MB_CASE_TITLE = 2;
const MB_CASE_FOLD = 3;
const MB_CASE_UPPER_SIMPLE = 4;
const MB_CASE_LOWER_SIMPLE = 5;
const MB_CASE_TITLE_SIMPLE = 6;
const MB_CASE_FOLD_SIMPLE = 7;

function mb_strlen(string $string, ?string $encoding = null): int {}

function mb_substr(string $string, int $start, ?int $length = null, ?string $encoding = null): string {}

function mb_strpos(string $haystack, string $needle, int $offset = 0, ?string $encoding = null): int|false {}

function mb_strrpos(string $haystack, string $needle, int $offset = 0, ?string $encoding = null): int|false {}

function mb_stripos(string $haystack, string $needle, int $offset = 0, ?string $encoding = null): int|false {}

function mb_strripos(string $haystack, string $needle, int $offset = 0, ?string $encoding = null): int|false {}

function mb_strstr(string $haystack, string $needle, bool $before_needle = false, ?string $encoding = null): string|false {}

function mb_strrchr(string $haystack, string $needle, bool $before_needle = false, ?string $encoding = null): string|false {}

function mb_stristr(string $haystack, string $needle, bool $before_needle = false, ?string $encoding = null): string|false {}

function mb_strrichr(string $haystack, string $needle, bool $before_needle = false, ?string $encoding = null): string|false {}

function mb_substr_count(string $haystack, string $needle, ?string $encoding = null): int {}

function mb_strtolower(string $string, ?string $encoding = null): string {}

function mb_strtoupper(string $string, ?string $encoding = null): string {}

function mb_convert_case(string $string, int $mode, ?string $encoding = null): string {}

function mb_ucfirst(string $string, ?string $encoding = null): string {}

function mb_lcfirst(string $string, ?string $encoding = null): string {}

function mb_str_split(string $string, int $length = 1, ?string $encoding = null): array {}

function mb_strwidth(string $string, ?string $encoding = null): int {}

function mb_strimwidth(string $string, int $start, int $width, string $trim_marker = "", ?string $encoding = null): string {}

function mb_strcut(string $string, int $start, ?int $length = null, ?string $encoding = null): string {}

function mb_str_pad(string $string, int $length, string $pad_string = " ", int $pad_type = STR_PAD_RIGHT, ?string $encoding = null): string {}

function mb_trim(string $string, ?string $characters = null, ?string $encoding = null): string {}

function mb_ltrim(string $string, ?string $characters = null, ?string $encoding = null): string {}

function mb_rtrim(string $string, ?string $characters = null, ?string $encoding = null): string {}
