<?php

function header(string $header, bool $replace = true, int $response_code = 0): void {}

function headers_sent(&$filename = null, &$line = null): bool {}

function headers_list(): array {}

function header_remove(?string $name = null): void {}

function http_response_code(int $response_code = 0): int|bool {}

function header_register_callback(callable $callback): bool {}

function setcookie(string $name, string $value = "", array|int $expires_or_options = 0, string $path = "", string $domain = "", bool $secure = false, bool $httponly = false): bool {}

function setrawcookie(string $name, string $value = "", array|int $expires_or_options = 0, string $path = "", string $domain = "", bool $secure = false, bool $httponly = false): bool {}

function request_parse_body(?array $options = null): array {}
