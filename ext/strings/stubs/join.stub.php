<?php

function count_chars(string $string, int $mode = 0): array|string {}

function explode(string $separator, string $string, int $limit = PHP_INT_MAX): array {}

/**
 * @unchecked $separator
 * @unchecked $array
 */
function implode(array|string $separator, ?array $array = null): string {}

/**
 * @alias implode
 * @unchecked $separator
 * @unchecked $array
 */
function join(array|string $separator, ?array $array = null): string {}

/** @absent $escape */
function str_getcsv(string $string, string $separator = ",", string $enclosure = "\"", string $escape = "\\"): array {}

function str_split(string $string, int $length = 1): array {}

function str_word_count(string $string, int $format = 0, ?string $characters = null): array|int {}

function strtok(string $string, ?string $token = null): string|false {}
