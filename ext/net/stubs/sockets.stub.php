<?php

function stream_socket_client(string $address, &$error_code = null, &$error_message = null, ?float $timeout = null, int $flags = STREAM_CLIENT_CONNECT, $context = null) {}

function stream_socket_server(string $address, &$error_code = null, &$error_message = null, int $flags = STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $context = null) {}

function stream_socket_accept($socket, ?float $timeout = null, &$peer_name = null) {}

function stream_socket_get_name($socket, bool $remote): string|false {}

function stream_socket_recvfrom($socket, int $length, int $flags = 0, &$address = null): string|false {}

function stream_socket_sendto($socket, string $data, int $flags = 0, string $address = ""): int|false {}

/** @resource $stream */
function stream_socket_shutdown($stream, int $mode): bool {}

function fsockopen(string $hostname, int $port = -1, &$error_code = null, &$error_message = null, ?float $timeout = null) {}

function pfsockopen(string $hostname, int $port = -1, &$error_code = null, &$error_message = null, ?float $timeout = null) {}

/** @resource $stream */
function stream_socket_enable_crypto($stream, bool $enable, ?int $crypto_method = null, $session_stream = null): int|bool {}
