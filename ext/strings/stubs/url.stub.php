<?php

const PHP_URL_SCHEME = 0;
const PHP_URL_HOST = 1;
const PHP_URL_PORT = 2;
const PHP_URL_USER = 3;
const PHP_URL_PASS = 4;
const PHP_URL_PATH = 5;
const PHP_URL_QUERY = 6;
const PHP_URL_FRAGMENT = 7;
const PHP_QUERY_RFC1738 = 1;
const PHP_QUERY_RFC3986 = 2;

function http_build_query(object|array $data, string $numeric_prefix = "", ?string $arg_separator = null, int $encoding_type = PHP_QUERY_RFC1738): string {}

function parse_str(string $string, &$result): void {}

function parse_url(string $url, int $component = -1): array|string|int|false|null {}

/** @foldable */
function rawurldecode(string $string): string {}

/** @foldable */
function rawurlencode(string $string): string {}

/** @foldable */
function urldecode(string $string): string {}

/** @foldable */
function urlencode(string $string): string {}
