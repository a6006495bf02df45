<?php

/** @resource $stream */
function stream_filter_append($stream, string $filter_name, int $mode = 0, mixed $params = UNKNOWN) {}

/** @resource $stream */
function stream_filter_prepend($stream, string $filter_name, int $mode = 0, mixed $params = UNKNOWN) {}

function stream_filter_remove($stream_filter): bool {}

function stream_get_filters(): array {}

function stream_get_wrappers(): array {}

/** @alias stream_wrapper_register */
function stream_register_wrapper(string $protocol, string $class, int $flags = 0): bool {}

function stream_wrapper_register(string $protocol, string $class, int $flags = 0): bool {}

function stream_wrapper_restore(string $protocol): bool {}

function stream_wrapper_unregister(string $protocol): bool {}

