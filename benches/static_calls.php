<?php
// Static methods, static properties, class constants, late static binding.
class A
{
    const STEP = 3;
    public static int $n = 0;
    public static function inc(int $x): int { self::$n += static::STEP; return static::twice($x) + self::STEP; }
    public static function twice(int $x): int { return $x << 1; }
}
class B extends A
{
    const STEP = 5;
    public static function twice(int $x): int { return parent::twice($x) ^ 1; }
}
$s = 0;
for ($i = 0; $i < 1000000; $i++) {
    $s = ($s + A::inc($i) + B::inc($i)) & 0xFFFFFFF;
}
echo $s, ' ', A::$n, "\n";
