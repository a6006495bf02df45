<?php

/**
 * @hooks crate::state::HOOKS
 * @not-serializable
 */
abstract class ReflectionType implements Stringable
{
    /** @rust crate::state::nothing */
    private function __clone(): void {}

    /** @tentative-return-type */
    public function allowsNull(): bool {}

    public function __toString(): string {}
}

/** @not-serializable */
class ReflectionNamedType extends ReflectionType
{
    /** @tentative-return-type */
    public function getName(): string {}

    /** @tentative-return-type */
    public function isBuiltin(): bool {}
}

/** @not-serializable */
class ReflectionUnionType extends ReflectionType
{
    public function getTypes(): array {}
}

/** @not-serializable */
class ReflectionIntersectionType extends ReflectionType
{
    public function getTypes(): array {}
}
