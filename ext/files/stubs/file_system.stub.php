<?php

function chgrp(string $filename, string|int $group): bool {}

function chmod(string $filename, int $permissions): bool {}

function chown(string $filename, string|int $user): bool {}

function copy(string $from, string $to, $context = null): bool {}

function disk_free_space(string $directory): float|false {}

function disk_total_space(string $directory): float|false {}

/** @alias disk_free_space */
function diskfreespace(string $directory): float|false {}

function is_uploaded_file(string $filename): bool {}

function lchgrp(string $filename, string|int $group): bool {}

function lchown(string $filename, string|int $user): bool {}

function link(string $target, string $link): bool {}

function linkinfo(string $path): int|false {}

function mkdir(string $directory, int $permissions = 0777, bool $recursive = false, $context = null): bool {}

function move_uploaded_file(string $from, string $to): bool {}

function readlink(string $path): string|false {}

function realpath(string $path): string|false {}

function realpath_cache_get(): array {}

function realpath_cache_size(): int {}

function rename(string $from, string $to, $context = null): bool {}

function rmdir(string $directory, $context = null): bool {}

function symlink(string $target, string $link): bool {}

function touch(string $filename, ?int $mtime = null, ?int $atime = null): bool {}

function umask(?int $mask = null): int {}

function unlink(string $filename, $context = null): bool {}

