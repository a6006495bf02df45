<?php

/** @hooks crate::state::INTERFACE */
interface DateTimeInterface
{
    public const string ATOM = 'Y-m-d\TH:i:sP';
    public const string COOKIE = 'l, d-M-Y H:i:s T';
    public const string ISO8601 = 'Y-m-d\TH:i:sO';
    public const string ISO8601_EXPANDED = 'X-m-d\TH:i:sP';
    public const string RFC822 = 'D, d M y H:i:s O';
    public const string RFC850 = 'l, d-M-y H:i:s T';
    public const string RFC1036 = 'D, d M y H:i:s O';
    public const string RFC1123 = 'D, d M Y H:i:s O';
    public const string RFC7231 = 'D, d M Y H:i:s \G\M\T';
    public const string RFC2822 = 'D, d M Y H:i:s O';
    public const string RFC3339 = 'Y-m-d\TH:i:sP';
    public const string RFC3339_EXTENDED = 'Y-m-d\TH:i:s.vP';
    public const string RSS = 'D, d M Y H:i:s O';
    public const string W3C = 'Y-m-d\TH:i:sP';

    /** @tentative-return-type */
    public function format(string $format): string;

    /** @tentative-return-type */
    public function getTimezone(): DateTimeZone|false;

    /** @tentative-return-type */
    public function getOffset(): int;

    /** @tentative-return-type */
    public function getTimestamp(): int;

    public function getMicrosecond(): int;

    /** @tentative-return-type */
    public function diff(DateTimeInterface $targetObject, bool $absolute = false): DateInterval;

    /** @tentative-return-type */
    public function __wakeup(): void;

    public function __serialize(): array;

    public function __unserialize(array $data): void;
}

/** @hooks crate::state::MOMENT */
class DateTime implements DateTimeInterface
{

    /** @rust crate::moment::__construct */
    public function __construct(string $datetime = "now", ?DateTimeZone $timezone = null) {}

    /** @rust crate::moment::__serialize */
    public function __serialize(): array {}

    /** @rust crate::moment::__unserialize */
    public function __unserialize(array $data): void {}

    /**
     * @tentative-return-type
     * @rust crate::moment::__wakeup
     */
    public function __wakeup(): void {}

    /** @tentative-return-type */
    public static function __set_state(array $array): DateTime {}

    /**
     * @tentative-return-type
     * @rust crate::moment::create_from_other
     */
    public static function createFromImmutable(DateTimeImmutable $object): static {}

    /** @rust crate::moment::create_from_interface */
    public static function createFromInterface(DateTimeInterface $object): DateTime {}

    /**
     * @tentative-return-type
     * @rust crate::moment::create_from_format
     */
    public static function createFromFormat(string $format, string $datetime, ?DateTimeZone $timezone = null): DateTime|false {}

    /**
     * @tentative-return-type
     * @rust crate::moment::create_from_timestamp
     */
    public static function createFromTimestamp(int|float $timestamp): static {}

    /**
     * @tentative-return-type
     * @rust crate::moment::get_last_errors
     */
    public static function getLastErrors(): array|false {}

    /**
     * @tentative-return-type
     * @rust crate::moment::format
     */
    public function format(string $format): string {}

    /** @tentative-return-type */
    public function modify(string $modifier): DateTime {}

    /** @tentative-return-type */
    public function add(DateInterval $interval): DateTime {}

    /** @tentative-return-type */
    public function sub(DateInterval $interval): DateTime {}

    /**
     * @tentative-return-type
     * @rust crate::moment::get_timezone
     */
    public function getTimezone(): DateTimeZone|false {}

    /** @tentative-return-type */
    public function setTimezone(DateTimeZone $timezone): DateTime {}

    /**
     * @tentative-return-type
     * @rust crate::moment::get_offset
     */
    public function getOffset(): int {}

    /** @rust crate::moment::get_microsecond */
    public function getMicrosecond(): int {}

    /** @tentative-return-type */
    public function setTime(int $hour, int $minute, int $second = 0, int $microsecond = 0): DateTime {}

    /** @tentative-return-type */
    public function setDate(int $year, int $month, int $day): DateTime {}

    /** @tentative-return-type */
    public function setISODate(int $year, int $week, int $dayOfWeek = 1): DateTime {}

    /** @tentative-return-type */
    public function setTimestamp(int $timestamp): DateTime {}

    public function setMicrosecond(int $microsecond): static {}

    /**
     * @tentative-return-type
     * @rust crate::moment::get_timestamp
     */
    public function getTimestamp(): int {}

    /**
     * @tentative-return-type
     * @rust crate::moment::diff
     */
    public function diff(DateTimeInterface $targetObject, bool $absolute = false): DateInterval {}
}

/** @hooks crate::state::MOMENT */
class DateTimeImmutable implements DateTimeInterface
{

    /** @rust crate::moment::__construct */
    public function __construct(string $datetime = "now", ?DateTimeZone $timezone = null) {}

    /** @rust crate::moment::__serialize */
    public function __serialize(): array {}

    /** @rust crate::moment::__unserialize */
    public function __unserialize(array $data): void {}

    /**
     * @tentative-return-type
     * @rust crate::moment::__wakeup
     */
    public function __wakeup(): void {}

    /** @tentative-return-type */
    public static function __set_state(array $array): DateTimeImmutable {}

    /**
     * @tentative-return-type
     * @rust crate::moment::create_from_format
     */
    public static function createFromFormat(string $format, string $datetime, ?DateTimeZone $timezone = null): DateTimeImmutable|false {}

    /**
     * @tentative-return-type
     * @rust crate::moment::create_from_timestamp
     */
    public static function createFromTimestamp(int|float $timestamp): static {}

    /**
     * @tentative-return-type
     * @rust crate::moment::get_last_errors
     */
    public static function getLastErrors(): array|false {}

    /**
     * @tentative-return-type
     * @rust crate::moment::format
     */
    public function format(string $format): string {}

    /**
     * @tentative-return-type
     * @rust crate::moment::get_timezone
     */
    public function getTimezone(): DateTimeZone|false {}

    /**
     * @tentative-return-type
     * @rust crate::moment::get_offset
     */
    public function getOffset(): int {}

    /**
     * @tentative-return-type
     * @rust crate::moment::get_timestamp
     */
    public function getTimestamp(): int {}

    /** @rust crate::moment::get_microsecond */
    public function getMicrosecond(): int {}

    /**
     * @tentative-return-type
     * @rust crate::moment::diff
     */
    public function diff(DateTimeInterface $targetObject, bool $absolute = false): DateInterval {}

    /** @tentative-return-type */
    public function modify(string $modifier): DateTimeImmutable {}

    /** @tentative-return-type */
    public function add(DateInterval $interval): DateTimeImmutable {}

    /** @tentative-return-type */
    public function sub(DateInterval $interval): DateTimeImmutable {}

    /** @tentative-return-type */
    public function setTimezone(DateTimeZone $timezone): DateTimeImmutable {}

    /** @tentative-return-type */
    public function setTime(int $hour, int $minute, int $second = 0, int $microsecond = 0): DateTimeImmutable {}

    /** @tentative-return-type */
    public function setDate(int $year, int $month, int $day): DateTimeImmutable {}

    /** @tentative-return-type */
    public function setISODate(int $year, int $week, int $dayOfWeek = 1): DateTimeImmutable {}

    /** @tentative-return-type */
    public function setTimestamp(int $timestamp): DateTimeImmutable {}

    public function setMicrosecond(int $microsecond): static {}

    /**
     * @tentative-return-type
     * @rust crate::moment::create_from_other
     */
    public static function createFromMutable(DateTime $object): static {}

    /** @rust crate::moment::create_from_interface */
    public static function createFromInterface(DateTimeInterface $object): DateTimeImmutable {}
}

/** @hooks crate::date_time_zone::HOOKS */
class DateTimeZone
{
    public const int AFRICA = 1;
    public const int AMERICA = 2;
    public const int ANTARCTICA = 4;
    public const int ARCTIC = 8;
    public const int ASIA = 16;
    public const int ATLANTIC = 32;
    public const int AUSTRALIA = 64;
    public const int EUROPE = 128;
    public const int INDIAN = 256;
    public const int PACIFIC = 512;
    public const int UTC = 1024;
    public const int ALL = 2047;
    public const int ALL_WITH_BC = 4095;
    public const int PER_COUNTRY = 4096;

    public function __construct(string $timezone) {}

    /** @tentative-return-type */
    public function getName(): string {}

    /** @tentative-return-type */
    public function getOffset(DateTimeInterface $datetime): int {}

    /** @tentative-return-type */
    public function getTransitions(int $timestampBegin = PHP_INT_MIN, int $timestampEnd = PHP_INT_MAX): array|false {}

    /** @tentative-return-type */
    public function getLocation(): array|false {}

    /** @tentative-return-type */
    public static function listAbbreviations(): array {}

    /** @tentative-return-type */
    public static function listIdentifiers(int $timezoneGroup = DateTimeZone::ALL, ?string $countryCode = null): array {}

    public function __serialize(): array {}

    public function __unserialize(array $data): void {}

    /** @tentative-return-type */
    public function __wakeup(): void {}

    /** @tentative-return-type */
    public static function __set_state(array $array): DateTimeZone {}
}

/** @hooks crate::date_interval::HOOKS */
class DateInterval
{

    public function __construct(string $duration) {}

    /** @tentative-return-type */
    public static function createFromDateString(string $datetime): DateInterval {}

    /** @tentative-return-type */
    public function format(string $format): string {}

    public function __serialize(): array {}

    public function __unserialize(array $data): void {}

    /** @tentative-return-type */
    public function __wakeup(): void {}

    /** @tentative-return-type */
    public static function __set_state(array $array): DateInterval {}
}

/** @hooks crate::date_period::HOOKS */
class DatePeriod implements IteratorAggregate
{
    public const int EXCLUDE_START_DATE = 1;
    public const int INCLUDE_END_DATE = 2;
    public readonly ?DateTimeInterface $start;
    public readonly ?DateTimeInterface $current;
    public readonly ?DateTimeInterface $end;
    public readonly ?DateInterval $interval;
    public readonly int $recurrences;
    public readonly bool $include_start_date;
    public readonly bool $include_end_date;

    public static function createFromISO8601String(string $specification, int $options = 0): static {}

    public function __construct($start = UNKNOWN, $interval = UNKNOWN, $end = UNKNOWN, $options = UNKNOWN) {}

    /** @tentative-return-type */
    public function getStartDate(): DateTimeInterface {}

    /** @tentative-return-type */
    public function getEndDate(): ?DateTimeInterface {}

    /** @tentative-return-type */
    public function getDateInterval(): DateInterval {}

    /** @tentative-return-type */
    public function getRecurrences(): ?int {}

    public function __serialize(): array {}

    public function __unserialize(array $data): void {}

    /** @tentative-return-type */
    public function __wakeup(): void {}

    /** @tentative-return-type */
    public static function __set_state(array $array): DatePeriod {}

    public function getIterator(): Iterator {}
}
