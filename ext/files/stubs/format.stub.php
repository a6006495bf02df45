<?php

/**
 * @absent $escape
 * @resource $stream
 */
function fgetcsv($stream, ?int $length = null, string $separator = ",", string $enclosure = "\"", string $escape = "\\"): array|false {}

/** @resource $stream */
function fprintf($stream, string $format, mixed ...$values): int {}

/**
 * @absent $escape
 * @resource $stream
 */
function fputcsv($stream, array $fields, string $separator = ",", string $enclosure = "\"", string $escape = "\\", string $eol = "\n"): int|false {}

/** @resource $stream */
function fscanf($stream, string $format, mixed &...$vars): array|int|false|null {}

/** @resource $stream */
function vfprintf($stream, string $format, array $values): int {}

