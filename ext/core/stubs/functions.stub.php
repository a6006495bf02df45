<?php

function func_num_args(): int {}

function func_get_arg(int $position): mixed {}

function func_get_args(): array {}

function function_exists(string $function): bool {}

function get_defined_functions(bool $exclude_disabled = true): array {}

function get_extension_funcs(string $extension): array|false {}

/** @name exit */
function exit_(string|int $status = 0): never {}

/**
 * @name die
 * @alias exit
 */
function die_(string|int $status = 0): never {}
