<?php

function highlight_string(string $string, bool $return = false): string|true {}

function highlight_file(string $filename, bool $return = false): string|bool {}

/** @alias highlight_file */
function show_source(string $filename, bool $return = false): string|bool {}

function php_strip_whitespace(string $filename): string {}
