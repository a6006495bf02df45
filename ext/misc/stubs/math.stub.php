<?php

// Numbers.

const M_E = 2.718281828459045;
const M_LOG2E = 1.4426950408889634;
const M_LOG10E = 0.4342944819032518;
const M_LN2 = 0.6931471805599453;
const M_LN10 = 2.302585092994046;
const M_PI = 3.141592653589793;
const M_PI_2 = 1.5707963267948966;
const M_PI_4 = 0.7853981633974483;
const M_1_PI = 0.3183098861837907;
const M_2_PI = 0.6366197723675814;
const M_SQRTPI = 1.772453850905516;
const M_2_SQRTPI = 1.1283791670955126;
const M_LNPI = 1.1447298858494002;
const M_EULER = 0.5772156649015329;
const M_SQRT2 = 1.4142135623730951;
const M_SQRT1_2 = 0.7071067811865476;
const M_SQRT3 = 1.7320508075688772;
const PHP_ROUND_HALF_UP = 1;
const PHP_ROUND_HALF_DOWN = 2;
const PHP_ROUND_HALF_EVEN = 3;
const PHP_ROUND_HALF_ODD = 4;
/** @computed crate::math::infinity */
const INF = UNKNOWN;
/** @computed crate::math::not_a_number */
const NAN = UNKNOWN;

enum RoundingMode
{
    case HalfAwayFromZero;
    case HalfTowardsZero;
    case HalfEven;
    case HalfOdd;
    case TowardsZero;
    case AwayFromZero;
    case NegativeInfinity;
    case PositiveInfinity;
}

/** @foldable */
function abs(int|float $num): int|float {}

/** @foldable */
function ceil(int|float $num): float {}

/** @foldable */
function floor(int|float $num): float {}

function round(int|float $num, int $precision = 0, RoundingMode|int $mode = RoundingMode::HalfAwayFromZero): float {}

/** @foldable */
function sqrt(float $num): float {}

function pow(mixed $num, mixed $exponent): object|int|float {}

/** @foldable */
function intdiv(int $num1, int $num2): int {}

/** @foldable */
function fmod(float $num1, float $num2): float {}

/** @foldable */
function fdiv(float $num1, float $num2): float {}

/** @foldable */
function fpow(float $num, float $exponent): float {}

function min(mixed $value, mixed ...$values): mixed {}

function max(mixed $value, mixed ...$values): mixed {}

/** @foldable */
function sin(float $num): float {}

/** @foldable */
function cos(float $num): float {}

/** @foldable */
function tan(float $num): float {}

/** @foldable */
function asin(float $num): float {}

/** @foldable */
function acos(float $num): float {}

/** @foldable */
function atan(float $num): float {}

/** @foldable */
function atan2(float $y, float $x): float {}

/** @foldable */
function sinh(float $num): float {}

/** @foldable */
function cosh(float $num): float {}

/** @foldable */
function tanh(float $num): float {}

/** @foldable */
function asinh(float $num): float {}

/** @foldable */
function acosh(float $num): float {}

/** @foldable */
function atanh(float $num): float {}

/** @foldable */
function exp(float $num): float {}

/** @foldable */
function log(float $num, float $base = M_E): float {}

/** @foldable */
function log10(float $num): float {}

/** @foldable */
function log1p(float $num): float {}

/** @foldable */
function expm1(float $num): float {}

/** @foldable */
function pi(): float {}

/** @foldable */
function hypot(float $x, float $y): float {}

/** @foldable */
function deg2rad(float $num): float {}

/** @foldable */
function rad2deg(float $num): float {}

/** @foldable */
function is_nan(float $num): bool {}

/** @foldable */
function is_finite(float $num): bool {}

/** @foldable */
function is_infinite(float $num): bool {}

/** @foldable */
function bindec(string $binary_string): int|float {}

/** @foldable */
function hexdec(string $hex_string): int|float {}

/** @foldable */
function octdec(string $octal_string): int|float {}

/** @foldable */
function decbin(int $num): string {}

/** @foldable */
function dechex(int $num): string {}

/** @foldable */
function decoct(int $num): string {}

/** @foldable */
function base_convert(string $num, int $from_base, int $to_base): string {}

/** @number $num */
function number_format(float $num, int $decimals = 0, ?string $decimal_separator = ".", ?string $thousands_separator = ","): string {}
