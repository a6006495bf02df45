<?php

function zend_version(): string {}

function define(string $constant_name, mixed $value, bool $case_insensitive = false): bool {}

function defined(string $constant_name): bool {}

function get_defined_constants(bool $categorize = false): array {}

/** @needs-symbols */
function get_defined_vars(): array {}

function get_included_files(): array {}

/** @alias get_included_files */
function get_required_files(): array {}

function get_resource_type($resource): string {}

function get_resource_id($resource): int {}

function get_resources(?string $type = null): array {}

function extension_loaded(string $extension): bool {}

function get_loaded_extensions(bool $zend_extensions = false): array {}

function gc_mem_caches(): int {}

function gc_collect_cycles(): int {}

function gc_enabled(): bool {}

function gc_enable(): void {}

function gc_disable(): void {}

function gc_status(): array {}
