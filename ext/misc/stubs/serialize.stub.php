<?php

function serialize(mixed $value): string {}

function unserialize(string $data, array $options = []): mixed {}

class __PHP_Incomplete_Class
{
}
