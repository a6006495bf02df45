<?php

function error_reporting(?int $error_level = null): int {}

function trigger_error(string $message, int $error_level = E_USER_NOTICE): true {}

/** @alias trigger_error */
function user_error(string $message, int $error_level = E_USER_NOTICE): true {}

function set_error_handler(?callable $callback, int $error_levels = E_ALL) {}

function restore_error_handler(): true {}

function set_exception_handler(?callable $callback) {}

function restore_exception_handler(): true {}

function debug_backtrace(int $options = DEBUG_BACKTRACE_PROVIDE_OBJECT, int $limit = 0): array {}

function debug_print_backtrace(int $options = 0, int $limit = 0): void {}
