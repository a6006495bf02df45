<?php

const INI_USER = 1;
const INI_PERDIR = 2;
const INI_SYSTEM = 4;
const INI_ALL = 7;
const CONNECTION_ABORTED = 1;
const CONNECTION_NORMAL = 0;
const CONNECTION_TIMEOUT = 2;

function ini_get(string $option): string|false {}

/** @unchecked $value */
function ini_set(string $option, string|int|float|bool|null $value): string|false {}

/**
 * @alias ini_set
 * @unchecked $value
 */
function ini_alter(string $option, string|int|float|bool|null $value): string|false {}

function ini_restore(string $option): void {}

function ini_get_all(?string $extension = null, bool $details = true): array|false {}

function ini_parse_quantity(string $shorthand): int {}

function get_cfg_var(string $option): array|string|false {}

function set_include_path(string $include_path): string|false {}

function get_include_path(): string|false {}

function set_time_limit(int $seconds): bool {}

function ignore_user_abort(?bool $enable = null): int {}

function connection_status(): int {}

function connection_aborted(): int {}

function getenv(?string $name = null, bool $local_only = false): array|string|false {}

function putenv(string $assignment): bool {}

/*
 * @ini auto_detect_line_endings "0" ALL
 * @ini browscap NULL SYSTEM
 * @ini default_socket_timeout "60" ALL
 * @ini from NULL ALL
 * @ini url_rewriter.hosts "" ALL
 * @ini url_rewriter.tags "form=" ALL
 * @ini user_agent NULL ALL
 */
