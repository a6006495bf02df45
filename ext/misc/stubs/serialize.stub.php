<?php

function serialize(mixed $value): string {}

function unserialize(string $data, array $options = []): mixed {}

/** @hooks crate::incomplete::HOOKS */
class __PHP_Incomplete_Class
{
}
