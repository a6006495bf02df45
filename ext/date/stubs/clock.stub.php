<?php

/**
 * @ini date.timezone "UTC" ALL on_change crate::settings::timezone_changed
 * @ini date.default_latitude "31.7667" ALL
 * @ini date.default_longitude "35.2333" ALL
 * @ini date.sunset_zenith "90.833333" ALL
 * @ini date.sunrise_zenith "90.833333" ALL
 */

const DATE_ATOM = 'Y-m-d\TH:i:sP';
const DATE_COOKIE = 'l, d-M-Y H:i:s T';
const DATE_ISO8601 = 'Y-m-d\TH:i:sO';
const DATE_ISO8601_EXPANDED = 'X-m-d\TH:i:sP';
const DATE_RFC822 = 'D, d M y H:i:s O';
const DATE_RFC850 = 'l, d-M-y H:i:s T';
const DATE_RFC1036 = 'D, d M y H:i:s O';
const DATE_RFC1123 = 'D, d M Y H:i:s O';
const DATE_RFC7231 = 'D, d M Y H:i:s \G\M\T';
const DATE_RFC2822 = 'D, d M Y H:i:s O';
const DATE_RFC3339 = 'Y-m-d\TH:i:sP';
const DATE_RFC3339_EXTENDED = 'Y-m-d\TH:i:s.vP';
const DATE_RSS = 'D, d M Y H:i:s O';
const DATE_W3C = 'Y-m-d\TH:i:sP';
/** @deprecated */
const SUNFUNCS_RET_TIMESTAMP = 0;
/** @deprecated */
const SUNFUNCS_RET_STRING = 1;
/** @deprecated */
const SUNFUNCS_RET_DOUBLE = 2;

function checkdate(int $month, int $day, int $year): bool {}

function date(string $format, ?int $timestamp = null): string {}

function date_default_timezone_get(): string {}

function date_default_timezone_set(string $timezoneId): bool {}

function date_parse(string $datetime): array {}

function date_parse_from_format(string $format, string $datetime): array {}

function getdate(?int $timestamp = null): array {}

function gmdate(string $format, ?int $timestamp = null): string {}

function gmmktime(int $hour, ?int $minute = null, ?int $second = null, ?int $month = null, ?int $day = null, ?int $year = null): int|false {}

#[\Deprecated(since: '8.1', message: 'use IntlDateFormatter::format() instead')]
function gmstrftime(string $format, ?int $timestamp = null): string|false {}

function idate(string $format, ?int $timestamp = null): int|false {}

function localtime(?int $timestamp = null, bool $associative = false): array {}

function mktime(int $hour, ?int $minute = null, ?int $second = null, ?int $month = null, ?int $day = null, ?int $year = null): int|false {}

#[\Deprecated(since: '8.1', message: 'use IntlDateFormatter::format() instead')]
function strftime(string $format, ?int $timestamp = null): string|false {}

function strtotime(string $datetime, ?int $baseTimestamp = null): int|false {}

function time(): int {}
