<?php

/** @foldable */
function ip2long(string $ip): int|false {}

/** @foldable */
function long2ip(int $ip): string {}

function inet_ntop(string $ip): string|false {}

function inet_pton(string $ip): string|false {}
