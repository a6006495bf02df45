<?php

function get_headers(string $url, bool $associative = false, $context = null): array|false {}

function http_get_last_response_headers(): ?array {}

function http_clear_last_response_headers(): void {}
