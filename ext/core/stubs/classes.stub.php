<?php

#[AllowDynamicProperties]
class stdClass
{
}

interface Traversable
{
}

interface IteratorAggregate extends Traversable
{
    /** @tentative-return-type */
    public function getIterator(): Traversable;
}

interface Iterator extends Traversable
{
    /** @tentative-return-type */
    public function current(): mixed;

    /** @tentative-return-type */
    public function next(): void;

    /** @tentative-return-type */
    public function key(): mixed;

    /** @tentative-return-type */
    public function valid(): bool;

    /** @tentative-return-type */
    public function rewind(): void;
}

interface Serializable
{
    public function serialize();

    public function unserialize(string $data);
}

interface ArrayAccess
{
    /** @tentative-return-type */
    public function offsetExists(mixed $offset): bool;

    /** @tentative-return-type */
    public function offsetGet(mixed $offset): mixed;

    /** @tentative-return-type */
    public function offsetSet(mixed $offset, mixed $value): void;

    /** @tentative-return-type */
    public function offsetUnset(mixed $offset): void;
}

interface Countable
{
    /** @tentative-return-type */
    public function count(): int;
}

interface Stringable
{
    public function __toString(): string;
}

interface UnitEnum
{
    public static function cases(): array;
}

interface BackedEnum extends UnitEnum
{
    public static function from(int|string $value): static;

    public static function tryFrom(int|string $value): ?static;
}

#[Attribute(Attribute::TARGET_CLASS)]
final class Attribute
{
    const int TARGET_CLASS = 1;
    const int TARGET_FUNCTION = 2;
    const int TARGET_METHOD = 4;
    const int TARGET_PROPERTY = 8;
    const int TARGET_CLASS_CONSTANT = 16;
    const int TARGET_PARAMETER = 32;
    const int TARGET_ALL = 63;
    const int IS_REPEATABLE = 64;

    public int $flags;

    /** @rust crate::attributes::attribute */
    public function __construct(int $flags = Attribute::TARGET_ALL) {}
}

#[Attribute(Attribute::TARGET_METHOD)]
final class ReturnTypeWillChange
{
    /** @rust crate::attributes::marker */
    public function __construct() {}
}

#[Attribute(Attribute::TARGET_CLASS)]
final class AllowDynamicProperties
{
    /** @rust crate::attributes::marker */
    public function __construct() {}
}

#[Attribute(Attribute::TARGET_PARAMETER)]
final class SensitiveParameter
{
    /** @rust crate::attributes::marker */
    public function __construct() {}
}

/**
 * @hooks crate::attributes::SENSITIVE_VALUE
 * @rust crate::attributes
 * @strict-properties
 * @not-serializable
 */
final class SensitiveParameterValue
{
    private readonly mixed $value;

    /** @rust crate::attributes::sensitive_value */
    public function __construct(mixed $value) {}

    public function getValue(): mixed {}

    public function __debugInfo(): array {}
}

#[Attribute(Attribute::TARGET_METHOD)]
final class Override
{
    /** @rust crate::attributes::marker */
    public function __construct() {}
}

#[Attribute(Attribute::TARGET_METHOD | Attribute::TARGET_FUNCTION | Attribute::TARGET_CLASS_CONSTANT)]
final class Deprecated
{
    public readonly ?string $message;
    public readonly ?string $since;

    /** @rust crate::attributes::deprecated */
    public function __construct(?string $message = null, ?string $since = null) {}
}
