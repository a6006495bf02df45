<?php

function chdir(string $directory): bool {}
function chroot(string $directory): bool {}

function closedir($dir_handle = null): void {}

function dir(string $directory, $context = null): Directory|false {}

function getcwd(): string|false {}

function glob(string $pattern, int $flags = 0): array|false {}

function opendir(string $directory, $context = null) {}

function readdir($dir_handle = null): string|false {}

function rewinddir($dir_handle = null): void {}

function scandir(string $directory, int $sorting_order = SCANDIR_SORT_ASCENDING, $context = null): array|false {}

class Directory
{
    public readonly string $path;
    public readonly mixed $handle;

    /** @tentative-return-type */
    public function close(): void {}

    /** @tentative-return-type */
    public function rewind(): void {}

    /** @tentative-return-type */
    public function read(): string|false {}
}

