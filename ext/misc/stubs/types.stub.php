<?php

/** @foldable */
function gettype(mixed $value): string {}

function get_debug_type(mixed $value): string {}

function settype(mixed &$var, string $type): bool {}

function intval(mixed $value, int $base = 10): int {}

function floatval(mixed $value): float {}

/** @alias floatval */
function doubleval(mixed $value): float {}

function strval(mixed $value): string {}

function boolval(mixed $value): bool {}

/** @foldable */
function is_null(mixed $value): bool {}

/** @foldable */
function is_bool(mixed $value): bool {}

/** @foldable */
function is_int(mixed $value): bool {}

/** @alias is_int */
function is_integer(mixed $value): bool {}

/** @alias is_int */
function is_long(mixed $value): bool {}

/** @foldable */
function is_float(mixed $value): bool {}

/** @alias is_float */
function is_double(mixed $value): bool {}

/** @foldable */
function is_string(mixed $value): bool {}

/** @foldable */
function is_array(mixed $value): bool {}

function is_object(mixed $value): bool {}

function is_resource(mixed $value): bool {}

/** @foldable */
function is_numeric(mixed $value): bool {}

/** @foldable */
function is_scalar(mixed $value): bool {}

function is_iterable(mixed $value): bool {}

function is_countable(mixed $value): bool {}

function is_callable(mixed $value, bool $syntax_only = false, &$callable_name = null): bool {}
