<?php

/** @rust crate::date_time::add */
function date_add(DateTime $object, DateInterval $interval): DateTime {}

function date_create(string $datetime = "now", ?DateTimeZone $timezone = null): DateTime|false {}

function date_create_from_format(string $format, string $datetime, ?DateTimeZone $timezone = null): DateTime|false {}

function date_create_immutable(string $datetime = "now", ?DateTimeZone $timezone = null): DateTimeImmutable|false {}

function date_create_immutable_from_format(string $format, string $datetime, ?DateTimeZone $timezone = null): DateTimeImmutable|false {}

/** @rust crate::date_time::set_date */
function date_date_set(DateTime $object, int $year, int $month, int $day): DateTime {}

/** @rust crate::moment::diff */
function date_diff(DateTimeInterface $baseObject, DateTimeInterface $targetObject, bool $absolute = false): DateInterval {}

/** @rust crate::moment::format */
function date_format(DateTimeInterface $object, string $format): string {}

function date_get_last_errors(): array|false {}

function date_interval_create_from_date_string(string $datetime): DateInterval|false {}

/** @rust crate::date_interval::format */
function date_interval_format(DateInterval $object, string $format): string {}

/** @rust crate::date_time::set_iso_date */
function date_isodate_set(DateTime $object, int $year, int $week, int $dayOfWeek = 1): DateTime {}

function date_modify(DateTime $object, string $modifier): DateTime|false {}

/** @rust crate::moment::get_offset */
function date_offset_get(DateTimeInterface $object): int {}


function date_sub(DateTime $object, DateInterval $interval): DateTime {}

/** @rust crate::date_time::set_time */
function date_time_set(DateTime $object, int $hour, int $minute, int $second = 0, int $microsecond = 0): DateTime {}

/** @rust crate::moment::get_timestamp */
function date_timestamp_get(DateTimeInterface $object): int {}

/** @rust crate::date_time::set_timestamp */
function date_timestamp_set(DateTime $object, int $timestamp): DateTime {}

/** @rust crate::moment::get_timezone */
function date_timezone_get(DateTimeInterface $object): DateTimeZone|false {}

/** @rust crate::date_time::set_timezone */
function date_timezone_set(DateTime $object, DateTimeZone $timezone): DateTime {}

function timezone_abbreviations_list(): array {}

function timezone_identifiers_list(int $timezoneGroup = DateTimeZone::ALL, ?string $countryCode = null): array {}

/** @rust crate::date_time_zone::get_location */
function timezone_location_get(DateTimeZone $object): array|false {}

function timezone_name_from_abbr(string $abbr, int $utcOffset = -1, int $isDST = -1): string|false {}

/** @rust crate::date_time_zone::get_name */
function timezone_name_get(DateTimeZone $object): string {}

/** @rust crate::date_time_zone::get_offset */
function timezone_offset_get(DateTimeZone $object, DateTimeInterface $datetime): int {}

function timezone_open(string $timezone): DateTimeZone|false {}

/** @rust crate::date_time_zone::get_transitions */
function timezone_transitions_get(DateTimeZone $object, int $timestampBegin = PHP_INT_MIN, int $timestampEnd = PHP_INT_MAX): array|false {}

function timezone_version_get(): string {}
