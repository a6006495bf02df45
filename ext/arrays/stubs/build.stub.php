<?php

// Arrays made from numbers, keys or another array.

const CASE_LOWER = 0;
const CASE_UPPER = 1;

function array_fill(int $start_index, int $count, mixed $value): array {}

function array_fill_keys(array $keys, mixed $value): array {}

function array_combine(array $keys, array $values): array {}

function array_flip(array $array): array {}

function array_column(array $array, string|int|null $column_key, string|int|null $index_key = null): array {}

function array_chunk(array $array, int $length, bool $preserve_keys = false): array {}

function array_pad(array $array, int $length, mixed $value): array {}

function array_slice(array $array, int $offset, ?int $length = null, bool $preserve_keys = false): array {}

function array_reverse(array $array, bool $preserve_keys = false): array {}

function array_change_key_case(array $array, int $case = CASE_LOWER): array {}

function array_count_values(array $array): array {}

function array_sum(array $array): int|float {}

function array_product(array $array): int|float {}

function array_rand(array $array, int $num = 1): array|string|int {}

function shuffle(array &$array): true {}

function range(string|int|float $start, string|int|float $end, int|float $step = 1): array {}
