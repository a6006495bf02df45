<?php

function get_class(object $object = UNKNOWN): string {}

function get_called_class(): string {}

/** @unchecked $object_or_class */
function get_parent_class(object|string $object_or_class = UNKNOWN): string|false {}

function is_subclass_of(mixed $object_or_class, string $class, bool $allow_string = true): bool {}

function is_a(mixed $object_or_class, string $class, bool $allow_string = false): bool {}

/** @unchecked $class */
function get_class_vars(string $class): array {}

function get_object_vars(object $object): array {}

function get_mangled_object_vars(object $object): array {}

/** @unchecked $object_or_class */
function get_class_methods(object|string $object_or_class): array {}

function method_exists($object_or_class, string $method): bool {}

function property_exists($object_or_class, string $property): bool {}

function class_exists(string $class, bool $autoload = true): bool {}

function interface_exists(string $interface, bool $autoload = true): bool {}

function trait_exists(string $trait, bool $autoload = true): bool {}

function enum_exists(string $enum, bool $autoload = true): bool {}

function class_alias(string $class, string $alias, bool $autoload = true): bool {}

function get_declared_classes(): array {}

function get_declared_traits(): array {}

function get_declared_interfaces(): array {}
