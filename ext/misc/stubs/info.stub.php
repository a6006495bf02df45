<?php

function phpversion(?string $extension = null): string|false {}

function php_sapi_name(): string|false {}

function php_uname(string $mode = "a"): string {}

function sys_get_temp_dir(): string {}

function getmypid(): int|false {}

function get_current_user(): string {}

function php_ini_loaded_file(): string|false {}

function php_ini_scanned_files(): string|false {}

function memory_get_usage(bool $real_usage = false): int {}

function memory_get_peak_usage(bool $real_usage = false): int {}

function memory_reset_peak_usage(): void {}

function error_log(string $message, int $message_type = 0, ?string $destination = null, ?string $additional_headers = null): bool {}

function sys_getloadavg(): array|false {}

function gethostname(): string|false {}
