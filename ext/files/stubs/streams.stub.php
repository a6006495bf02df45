<?php

/**
 * @alias stream_set_write_buffer
 * @resource $stream
 */
function set_file_buffer($stream, int $size): int {}

/** @alias stream_get_meta_data */
function socket_get_status($stream): array {}

/**
 * @alias stream_set_blocking
 * @resource $stream
 */
function socket_set_blocking($stream, bool $enable): bool {}

/**
 * @alias stream_set_timeout
 * @resource $stream
 */
function socket_set_timeout($stream, int $seconds, int $microseconds = 0): bool {}

/**
 * @resource $from
 * @resource $to
 */
function stream_copy_to_stream($from, $to, ?int $length = null, int $offset = 0): int|false {}

/** @resource $stream */
function stream_get_contents($stream, ?int $length = null, int $offset = -1): string|false {}

/** @resource $stream */
function stream_get_line($stream, int $length, string $ending = ""): string|false {}

function stream_get_meta_data($stream): array {}

function stream_get_transports(): array {}

function stream_is_local($stream): bool {}

function stream_isatty($stream): bool {}

function stream_resolve_include_path(string $filename): string|false {}

function stream_select(?array &$read, ?array &$write, ?array &$except, ?int $seconds, ?int $microseconds = null): int|false {}

/** @resource $stream */
function stream_set_blocking($stream, bool $enable): bool {}

/** @resource $stream */
function stream_set_chunk_size($stream, int $size): int {}

/** @resource $stream */
function stream_set_read_buffer($stream, int $size): int {}

/** @resource $stream */
function stream_set_timeout($stream, int $seconds, int $microseconds = 0): bool {}

/** @resource $stream */
function stream_set_write_buffer($stream, int $size): int {}

function stream_socket_pair(int $domain, int $type, int $protocol): array|false {}

function stream_supports_lock($stream): bool {}

