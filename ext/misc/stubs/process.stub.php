<?php

function getrusage(int $mode = 0): array|false {}

function getmyuid(): int|false {}

function getmygid(): int|false {}

function getmyinode(): int|false {}

function getlastmod(): int|false {}

function getopt(string $short_options, array $long_options = [], &$rest_index = null): array|false {}

function ftok(string $filename, string $project_id): int {}

function dl(string $extension_filename): bool {}

function cli_set_process_title(string $title): bool {}

function cli_get_process_title(): ?string {}
