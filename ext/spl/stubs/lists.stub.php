<?php

/**
 * @hooks crate::spl_doubly_linked_list::HOOKS
 */
class SplDoublyLinkedList implements Iterator, Countable, ArrayAccess, Serializable
{
    public const int IT_MODE_LIFO = 2;
    public const int IT_MODE_FIFO = 0;
    public const int IT_MODE_DELETE = 1;
    public const int IT_MODE_KEEP = 0;

    /** @tentative-return-type */
    public function add(int $index, mixed $value): void {}

    /** @tentative-return-type */
    public function pop(): mixed {}

    /** @tentative-return-type */
    public function shift(): mixed {}

    /** @tentative-return-type */
    public function push(mixed $value): void {}

    /** @tentative-return-type */
    public function unshift(mixed $value): void {}

    /** @tentative-return-type */
    public function top(): mixed {}

    /** @tentative-return-type */
    public function bottom(): mixed {}

    /** @tentative-return-type */
    public function __debugInfo(): array {}

    /** @tentative-return-type */
    public function count(): int {}

    /** @tentative-return-type */
    public function isEmpty(): bool {}

    /** @tentative-return-type */
    public function setIteratorMode(int $mode): int {}

    /** @tentative-return-type */
    public function getIteratorMode(): int {}

    /** @tentative-return-type */
    public function offsetExists($index): bool {}

    /** @tentative-return-type */
    public function offsetGet($index): mixed {}

    /** @tentative-return-type */
    public function offsetSet($index, mixed $value): void {}

    /** @tentative-return-type */
    public function offsetUnset($index): void {}

    /** @tentative-return-type */
    public function rewind(): void {}

    /** @tentative-return-type */
    public function current(): mixed {}

    /** @tentative-return-type */
    public function key(): int {}

    /** @tentative-return-type */
    public function prev(): void {}

    /** @tentative-return-type */
    public function next(): void {}

    /** @tentative-return-type */
    public function valid(): bool {}

    /** @tentative-return-type */
    public function unserialize(string $data): void {}

    /** @tentative-return-type */
    public function serialize(): string {}

    /** @tentative-return-type */
    public function __serialize(): array {}

    /** @tentative-return-type */
    public function __unserialize(array $data): void {}
}

/**
 * @hooks crate::spl_doubly_linked_list::QUEUE_HOOKS
 * @rust crate::spl_doubly_linked_list
 */
class SplQueue extends SplDoublyLinkedList
{
    /** @tentative-return-type */
    public function enqueue(mixed $value): void {}

    /** @tentative-return-type */
    public function dequeue(): mixed {}
}

/**
 * @hooks crate::spl_doubly_linked_list::STACK_HOOKS
 */
class SplStack extends SplDoublyLinkedList
{
}
