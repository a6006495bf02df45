<?php

function basename(string $path, string $suffix = ""): string {}

function dirname(string $path, int $levels = 1): string {}

function fnmatch(string $pattern, string $filename, int $flags = 0): bool {}

function pathinfo(string $path, int $flags = PATHINFO_ALL): array|string {}

