<?php

function call_user_func(callable $callback, mixed ...$args): mixed {}

function call_user_func_array(callable $callback, array $args): mixed {}

function forward_static_call(callable $callback, mixed ...$args): mixed {}

function forward_static_call_array(callable $callback, array $args): mixed {}

function register_shutdown_function(callable $callback, mixed ...$args): void {}

function usleep(int $microseconds): void {}

function sleep(int $seconds): int {}

function time_nanosleep(int $seconds, int $nanoseconds): array|bool {}

function hrtime(bool $as_number = false): array|int|float|false {}

function microtime(bool $as_float = false): string|float {}

function gettimeofday(bool $as_float = false): array|float {}

function constant(string $name): mixed {}

function register_tick_function(callable $callback, mixed ...$args): bool {}

function unregister_tick_function(callable $callback): void {}

function time_sleep_until(float $timestamp): bool {}

function error_get_last(): ?array {}

function error_clear_last(): void {}
