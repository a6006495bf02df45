<?php

function var_dump(mixed $value, mixed ...$values): void {}

function var_export(mixed $value, bool $return = false): ?string {}

function print_r(mixed $value, bool $return = false): string|true {}
