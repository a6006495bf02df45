<?php

/* @ini bcmath.scale "0" ALL on_change crate::functions::scale_changed */

function bcadd(string $num1, string $num2, ?int $scale = null): string {}

function bcsub(string $num1, string $num2, ?int $scale = null): string {}

function bcmul(string $num1, string $num2, ?int $scale = null): string {}

function bcdiv(string $num1, string $num2, ?int $scale = null): string {}

function bcmod(string $num1, string $num2, ?int $scale = null): string {}

/** @return string[] */
function bcdivmod(string $num1, string $num2, ?int $scale = null): array {}

function bcpowmod(string $num, string $exponent, string $modulus, ?int $scale = null): string {}

function bcpow(string $num, string $exponent, ?int $scale = null): string {}

function bcsqrt(string $num, ?int $scale = null): string {}

function bccomp(string $num1, string $num2, ?int $scale = null): int {}

function bcscale(?int $scale = null): int {}

function bcfloor(string $num): string {}

function bcceil(string $num): string {}

function bcround(string $num, int $precision = 0, RoundingMode $mode = RoundingMode::HalfAwayFromZero): string {}
