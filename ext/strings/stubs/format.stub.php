<?php

const CHAR_MAX = 127;
const LC_CTYPE = 0;
const LC_NUMERIC = 1;
const LC_TIME = 2;
const LC_COLLATE = 3;
const LC_MONETARY = 4;
const LC_ALL = 6;
const LC_MESSAGES = 5;

function localeconv(): array {}

function pack(string $format, mixed ...$values): string {}

function printf(string $format, mixed ...$values): int {}

function setlocale(int $category, $locales, ...$rest): string|false {}

function sprintf(string $format, mixed ...$values): string {}

function sscanf(string $string, string $format, mixed &...$vars): array|int|null {}

function unpack(string $format, string $string, int $offset = 0): array|false {}

function vprintf(string $format, array $values): int {}

function vsprintf(string $format, array $values): string {}
