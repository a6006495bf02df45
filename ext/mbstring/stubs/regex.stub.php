<?php

function mb_ereg(string $pattern, string $string, &$matches = null): bool {}

function mb_ereg_match(string $pattern, string $string, ?string $options = null): bool {}

function mb_ereg_replace(string $pattern, string $replacement, string $string, ?string $options = null): string|false|null {}

function mb_ereg_replace_callback(string $pattern, callable $callback, string $string, ?string $options = null): string|false|null {}

function mb_ereg_search(?string $pattern = null, ?string $options = null): bool {}

function mb_ereg_search_getpos(): int {}

function mb_ereg_search_getregs(): array|false {}

function mb_ereg_search_init(string $string, ?string $pattern = null, ?string $options = null): bool {}

function mb_ereg_search_pos(?string $pattern = null, ?string $options = null): array|false {}

function mb_ereg_search_regs(?string $pattern = null, ?string $options = null): array|false {}

function mb_ereg_search_setpos(int $offset): bool {}

function mb_eregi(string $pattern, string $string, &$matches = null): bool {}

function mb_eregi_replace(string $pattern, string $replacement, string $string, ?string $options = null): string|false|null {}

function mb_regex_encoding(?string $encoding = null): string|bool {}

function mb_regex_set_options(?string $options = null): string {}

function mb_split(string $pattern, string $string, int $limit = -1): array|false {}

/*
 * @ini mbstring.regex_stack_limit "100000" ALL
 * @ini mbstring.regex_retry_limit "1000000" ALL
 */
