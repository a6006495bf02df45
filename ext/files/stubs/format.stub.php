<?php

/** @absent $escape */
function fgetcsv($stream, ?int $length = null, string $separator = ",", string $enclosure = "\"", string $escape = "\\"): array|false {}

function fprintf($stream, string $format, mixed ...$values): int {}

/** @absent $escape */
function fputcsv($stream, array $fields, string $separator = ",", string $enclosure = "\"", string $escape = "\\", string $eol = "\n"): int|false {}

function fscanf($stream, string $format, mixed &...$vars): array|int|false|null {}

function vfprintf($stream, string $format, array $values): int {}

