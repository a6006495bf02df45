<?php

const WNOHANG = 1;
const WUNTRACED = 2;
const WCONTINUED = 8;
const SIGHUP = 1;
const SIGQUIT = 3;
const SIGABRT = 6;
const SIGKILL = 9;
const SIGUSR1 = 10;
const SIGUSR2 = 12;
const SIGPIPE = 13;
const SIGALRM = 14;
const SIGTERM = 15;
const SIGCHLD = 17;
const SIGCONT = 18;
const SIGSTOP = 19;

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
