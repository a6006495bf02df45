<?php

function fclose($stream): bool {}

function fdatasync($stream): bool {}

function feof($stream): bool {}

function fflush($stream): bool {}

function fgetc($stream): string|false {}

/** @resource $stream */
function fgets($stream, ?int $length = null): string|false {}

function file(string $filename, int $flags = 0, $context = null): array|false {}

function file_get_contents(string $filename, bool $use_include_path = false, $context = null, int $offset = 0, ?int $length = null): string|false {}

function file_put_contents(string $filename, mixed $data, int $flags = 0, $context = null): int|false {}

/** @resource $stream */
function flock($stream, int $operation, &$would_block = null): bool {}

function fopen(string $filename, string $mode, bool $use_include_path = false, $context = null) {}

function fpassthru($stream): int {}

/**
 * @alias fwrite
 * @resource $stream
 */
function fputs($stream, string $data, ?int $length = null): int|false {}

/** @resource $stream */
function fread($stream, int $length): string|false {}

/** @resource $stream */
function fseek($stream, int $offset, int $whence = SEEK_SET): int {}

function fstat($stream): array|false {}

function fsync($stream): bool {}

function ftell($stream): int|false {}

/** @resource $stream */
function ftruncate($stream, int $size): bool {}

/** @resource $stream */
function fwrite($stream, string $data, ?int $length = null): int|false {}

function readfile(string $filename, bool $use_include_path = false, $context = null): int|false {}

function rewind($stream): bool {}

function tempnam(string $directory, string $prefix): string|false {}

function tmpfile() {}

