<?php

// Callbacks over elements.

const ARRAY_FILTER_USE_BOTH = 1;
const ARRAY_FILTER_USE_KEY = 2;

function array_map(?callable $callback, array $array, array ...$arrays): array {}

function array_filter(array $array, ?callable $callback = null, int $mode = 0): array {}

function array_reduce(array $array, callable $callback, mixed $initial = null): mixed {}

function array_walk(object|array &$array, callable $callback, mixed $arg = UNKNOWN): true {}

function array_walk_recursive(object|array &$array, callable $callback, mixed $arg = UNKNOWN): true {}

function array_find(array $array, callable $callback): mixed {}

function array_find_key(array $array, callable $callback): mixed {}

function array_any(array $array, callable $callback): bool {}

function array_all(array $array, callable $callback): bool {}
