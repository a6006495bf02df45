<?php

function clearstatcache(bool $clear_realpath_cache = false, string $filename = ""): void {}

function file_exists(string $filename): bool {}

function fileatime(string $filename): int|false {}

function filectime(string $filename): int|false {}

function filegroup(string $filename): int|false {}

function fileinode(string $filename): int|false {}

function filemtime(string $filename): int|false {}

function fileowner(string $filename): int|false {}

function fileperms(string $filename): int|false {}

function filesize(string $filename): int|false {}

function filetype(string $filename): string|false {}

function is_dir(string $filename): bool {}

function is_executable(string $filename): bool {}

function is_file(string $filename): bool {}

function is_link(string $filename): bool {}

function is_readable(string $filename): bool {}

function is_writable(string $filename): bool {}

/** @alias is_writable */
function is_writeable(string $filename): bool {}

function lstat(string $filename): array|false {}

function stat(string $filename): array|false {}

