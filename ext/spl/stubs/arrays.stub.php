<?php

/**
 * @hooks crate::array_object::HOOKS
 */
class ArrayObject implements IteratorAggregate, ArrayAccess, Serializable, Countable
{
    public const int STD_PROP_LIST = 1;
    public const int ARRAY_AS_PROPS = 2;

    /**
     * @absent $array
     * @absent $flags
     * @absent $iteratorClass
     */
    public function __construct(object|array $array = [], int $flags = 0, string $iteratorClass = ArrayIterator::class) {}

    /** @tentative-return-type */
    public function offsetExists(mixed $key): bool {}

    /** @tentative-return-type */
    public function offsetGet(mixed $key): mixed {}

    /** @tentative-return-type */
    public function offsetSet(mixed $key, mixed $value): void {}

    /** @tentative-return-type */
    public function offsetUnset(mixed $key): void {}

    /** @tentative-return-type */
    public function append(mixed $value): void {}

    /** @tentative-return-type */
    public function getArrayCopy(): array {}

    /** @tentative-return-type */
    public function count(): int {}

    /** @tentative-return-type */
    public function getFlags(): int {}

    /** @tentative-return-type */
    public function setFlags(int $flags): void {}

    /** @tentative-return-type */
    public function asort(int $flags = SORT_REGULAR): true {}

    /** @tentative-return-type */
    public function ksort(int $flags = SORT_REGULAR): true {}

    /** @tentative-return-type */
    public function uasort(callable $callback): true {}

    /** @tentative-return-type */
    public function uksort(callable $callback): true {}

    /** @tentative-return-type */
    public function natsort(): true {}

    /** @tentative-return-type */
    public function natcasesort(): true {}

    /** @tentative-return-type */
    public function unserialize(string $data): void {}

    /** @tentative-return-type */
    public function serialize(): string {}

    /** @tentative-return-type */
    public function __serialize(): array {}

    /** @tentative-return-type */
    public function __unserialize(array $data): void {}

    /** @tentative-return-type */
    public function getIterator(): Iterator {}

    /** @tentative-return-type */
    public function exchangeArray(object|array $array): array {}

    /** @tentative-return-type */
    public function setIteratorClass(string $iteratorClass): void {}

    /** @tentative-return-type */
    public function getIteratorClass(): string {}

    /** @tentative-return-type */
    public function __debugInfo(): array {}
}

/**
 * @hooks crate::array_object::ITERATOR_HOOKS
 * @rust crate::array_iterator
 */
class ArrayIterator implements SeekableIterator, ArrayAccess, Serializable, Countable
{
    public const int STD_PROP_LIST = 1;
    public const int ARRAY_AS_PROPS = 2;

    /**
     * @absent $array
     * @absent $flags
     */
    public function __construct(object|array $array = [], int $flags = 0) {}

    /** @tentative-return-type */
    public function offsetExists(mixed $key): bool {}

    /** @tentative-return-type */
    public function offsetGet(mixed $key): mixed {}

    /** @tentative-return-type */
    public function offsetSet(mixed $key, mixed $value): void {}

    /** @tentative-return-type */
    public function offsetUnset(mixed $key): void {}

    /** @tentative-return-type */
    public function append(mixed $value): void {}

    /** @tentative-return-type */
    public function getArrayCopy(): array {}

    /** @tentative-return-type */
    public function count(): int {}

    /** @tentative-return-type */
    public function getFlags(): int {}

    /** @tentative-return-type */
    public function setFlags(int $flags): void {}

    /** @tentative-return-type */
    public function asort(int $flags = SORT_REGULAR): true {}

    /** @tentative-return-type */
    public function ksort(int $flags = SORT_REGULAR): true {}

    /** @tentative-return-type */
    public function uasort(callable $callback): true {}

    /** @tentative-return-type */
    public function uksort(callable $callback): true {}

    /** @tentative-return-type */
    public function natsort(): true {}

    /** @tentative-return-type */
    public function natcasesort(): true {}

    /** @tentative-return-type */
    public function unserialize(string $data): void {}

    /** @tentative-return-type */
    public function serialize(): string {}

    /** @tentative-return-type */
    public function __serialize(): array {}

    /** @tentative-return-type */
    public function __unserialize(array $data): void {}

    /** @tentative-return-type */
    public function rewind(): void {}

    /** @tentative-return-type */
    public function current(): mixed {}

    /** @tentative-return-type */
    public function key(): string|int|null {}

    /** @tentative-return-type */
    public function next(): void {}

    /** @tentative-return-type */
    public function valid(): bool {}

    /** @tentative-return-type */
    public function seek(int $offset): void {}

    /** @tentative-return-type */
    public function __debugInfo(): array {}
}

/**
 * @rust crate::recursive_array_iterator
 */
class RecursiveArrayIterator extends ArrayIterator implements RecursiveIterator
{
    public const int CHILD_ARRAYS_ONLY = 4;

    /** @tentative-return-type */
    public function hasChildren(): bool {}

    /** @tentative-return-type */
    public function getChildren(): ?RecursiveArrayIterator {}
}
