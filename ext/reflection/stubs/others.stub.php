<?php

interface Reflector extends Stringable
{
}

enum PropertyHookType: string
{
    case Get = 'get';
    case Set = 'set';
}

class ReflectionException extends Exception
{
}

class Reflection
{
    /** @tentative-return-type */
    public static function getModifierNames(int $modifiers): array {}
}

/**
 * @hooks crate::state::HOOKS
 * @not-serializable
 */
class ReflectionAttribute implements Reflector
{
    public const int IS_INSTANCEOF = 2;
    public string $name;

    public function getName(): string {}

    public function getTarget(): int {}

    public function isRepeated(): bool {}

    public function getArguments(): array {}

    public function newInstance(): object {}

    public function __toString(): string {}

    /** @rust crate::state::nothing */
    private function __clone(): void {}

    /** @rust crate::state::nothing */
    private function __construct() {}
}

/**
 * @hooks crate::state::HOOKS
 * @not-serializable
 */
final class ReflectionConstant implements Reflector
{
    public string $name;

    public function __construct(string $name) {}

    public function getName(): string {}

    public function getNamespaceName(): string {}

    public function getShortName(): string {}

    public function getValue(): mixed {}

    public function isDeprecated(): bool {}

    public function __toString(): string {}
}

/**
 * @hooks crate::state::HOOKS
 * @not-serializable
 */
class ReflectionExtension implements Reflector
{
    public string $name;

    /** @rust crate::state::nothing */
    private function __clone(): void {}

    public function __construct(string $name) {}

    public function __toString(): string {}

    /** @tentative-return-type */
    public function getName(): string {}

    /** @tentative-return-type */
    public function getVersion(): ?string {}

    /** @tentative-return-type */
    public function getFunctions(): array {}

    /** @tentative-return-type */
    public function getConstants(): array {}

    /** @tentative-return-type */
    public function getINIEntries(): array {}

    /** @tentative-return-type */
    public function getClasses(): array {}

    /** @tentative-return-type */
    public function getClassNames(): array {}

    /** @tentative-return-type */
    public function getDependencies(): array {}

    /** @tentative-return-type */
    public function info(): void {}

    /** @tentative-return-type */
    public function isPersistent(): bool {}

    /** @tentative-return-type */
    public function isTemporary(): bool {}
}

/**
 * @hooks crate::state::HOOKS
 * @not-serializable
 */
class ReflectionZendExtension implements Reflector
{
    public string $name;

    /** @rust crate::state::nothing */
    private function __clone(): void {}

    public function __construct(string $name) {}

    public function __toString(): string {}

    /** @tentative-return-type */
    public function getName(): string {}

    /** @tentative-return-type */
    public function getVersion(): string {}

    /** @tentative-return-type */
    public function getAuthor(): string {}

    /** @tentative-return-type */
    public function getURL(): string {}

    /** @tentative-return-type */
    public function getCopyright(): string {}
}

/**
 * @hooks crate::state::HOOKS
 * @not-serializable
 */
final class ReflectionGenerator
{
    public function __construct(Generator $generator) {}

    /** @tentative-return-type */
    public function getExecutingLine(): int {}

    /** @tentative-return-type */
    public function getExecutingFile(): string {}

    /** @tentative-return-type */
    public function getTrace(int $options = DEBUG_BACKTRACE_PROVIDE_OBJECT): array {}

    /** @tentative-return-type */
    public function getFunction(): ReflectionFunctionAbstract {}

    /** @tentative-return-type */
    public function getThis(): ?object {}

    /** @tentative-return-type */
    public function getExecutingGenerator(): Generator {}

    public function isClosed(): bool {}
}

/**
 * @hooks crate::state::HOOKS
 * @not-serializable
 */
final class ReflectionFiber
{
    public function __construct(Fiber $fiber) {}

    public function getFiber(): Fiber {}

    public function getExecutingFile(): ?string {}

    public function getExecutingLine(): ?int {}

    public function getCallable(): callable {}

    public function getTrace(int $options = DEBUG_BACKTRACE_PROVIDE_OBJECT): array {}
}

/**
 * @hooks crate::state::HOOKS
 * @not-serializable
 */
final class ReflectionReference
{
    public static function fromArrayElement(array $array, string|int $key): ?ReflectionReference {}

    public function getId(): string {}

    /** @rust crate::state::nothing */
    private function __clone(): void {}

    /** @rust crate::state::nothing */
    private function __construct() {}
}
