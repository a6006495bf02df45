<?php

function gethostbyaddr(string $ip): string|false {}

function gethostbyname(string $hostname): string {}

function gethostbynamel(string $hostname): array|false {}

function getservbyname(string $service, string $protocol): int|false {}

function getservbyport(int $port, string $protocol): string|false {}

function getprotobyname(string $protocol): int|false {}

function getprotobynumber(int $protocol): string|false {}

function net_get_interfaces(): array|false {}
