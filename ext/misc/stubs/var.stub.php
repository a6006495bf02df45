<?php

function var_dump(mixed $value, mixed ...$values): void {}

function var_export(mixed $value, bool $return = false): ?string {}

function debug_zval_dump(mixed $value, mixed ...$values): void {}

function print_r(mixed $value, bool $return = false): string|true {}
