<?php

const WNOHANG = 1;
const WUNTRACED = 2;
const WCONTINUED = 8;

function pcntl_fork(): int {}

function pcntl_waitpid(int $process_id, &$status, int $flags = 0, &$resource_usage = []): int {}

function pcntl_wait(&$status, int $flags = 0, &$resource_usage = []): int {}

function pcntl_wifexited(int $status): bool {}

function pcntl_wifstopped(int $status): bool {}

function pcntl_wifcontinued(int $status): bool {}

function pcntl_wifsignaled(int $status): bool {}

function pcntl_wexitstatus(int $status): int|false {}

function pcntl_wtermsig(int $status): int|false {}

function pcntl_wstopsig(int $status): int|false {}

function pcntl_alarm(int $seconds): int {}

function pcntl_get_last_error(): int {}

/** @alias pcntl_get_last_error */
function pcntl_errno(): int {}

function pcntl_strerror(int $error_code): string {}
