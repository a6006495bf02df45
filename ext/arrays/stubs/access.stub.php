<?php

// Counting, searching, keys and the internal pointer.

const COUNT_NORMAL = 0;
const COUNT_RECURSIVE = 1;

/** @unchecked $value */
function count(Countable|array $value, int $mode = COUNT_NORMAL): int {}

/**
 * @alias count
 * @unchecked $value
 */
function sizeof(Countable|array $value, int $mode = COUNT_NORMAL): int {}

function in_array(mixed $needle, array $haystack, bool $strict = false): bool {}

function array_search(mixed $needle, array $haystack, bool $strict = false): string|int|false {}

function array_keys(array $array, mixed $filter_value = UNKNOWN, bool $strict = false): array {}

function array_values(array $array): array {}

function array_key_exists($key, array $array): bool {}

/** @alias array_key_exists */
function key_exists($key, array $array): bool {}

function array_key_first(array $array): string|int|null {}

function array_key_last(array $array): string|int|null {}

function array_is_list(array $array): bool {}

function current(object|array $array): mixed {}

/** @alias current */
function pos(object|array $array): mixed {}

function key(object|array $array): string|int|null {}

function next(object|array &$array): mixed {}

function prev(object|array &$array): mixed {}

function reset(object|array &$array): mixed {}

function end(object|array &$array): mixed {}
