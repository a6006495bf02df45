<?php

function addcslashes(string $string, string $characters): string {}

/** @foldable */
function addslashes(string $string): string {}

function base64_decode(string $string, bool $strict = false): string|false {}

/** @foldable */
function base64_encode(string $string): string {}

/** @foldable */
function bin2hex(string $string): string {}

function convert_uudecode(string $string): string|false {}

function convert_uuencode(string $string): string {}

/** @foldable */
function crc32(string $string): int {}

function escapeshellarg(string $arg): string {}

function escapeshellcmd(string $command): string {}

function hex2bin(string $string): string|false {}

/** @foldable */
function md5(string $string, bool $binary = false): string {}

function quoted_printable_decode(string $string): string {}

function quoted_printable_encode(string $string): string {}

/** @foldable */
function quotemeta(string $string): string {}

/** @foldable */
function sha1(string $string, bool $binary = false): string {}

/** @foldable */
function stripcslashes(string $string): string {}

/** @foldable */
function stripslashes(string $string): string {}

#[\Deprecated(since: '8.2', message: 'visit the php.net documentation for various alternatives')]
function utf8_decode(string $string): string {}

#[\Deprecated(since: '8.2', message: 'visit the php.net documentation for various alternatives')]
function utf8_encode(string $string): string {}

function md5_file(string $filename, bool $binary = false): string|false {}

function sha1_file(string $filename, bool $binary = false): string|false {}
