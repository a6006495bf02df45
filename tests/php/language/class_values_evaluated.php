<?php
// When the constants and default values of classes are evaluated, and what failing there leaves.

function note($s) { echo "[$s]"; return $s; }
class NotYet { const A = LATER . '!'; public static $s = self::A; public $p = self::A; }

try {
    new NotYet;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
try {
    echo NotYet::$s;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
define('LATER', 'now');
echo NotYet::$s, ' ', (new NotYet)->p, ' ', NotYet::A, "\n";

class Circle { const A = self::B; const B = self::A; }
try {
    echo Circle::A;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
class Typed { const int N = X_VALUE; public int $p = X_VALUE; public static ?int $s = X_VALUE; }
define('X_VALUE', 'text');
foreach ([fn () => Typed::N, fn () => new Typed, fn () => Typed::$s] as $f) {
    try {
        var_dump($f());
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

enum Suit: string {
    case H = 'h';
    case S = 's';
    const Best = self::S;
    const NAME = self::Best->name . '=' . self::Best->value;
}
echo Suit::NAME, "\n";
class WithEnum {
    public $name = Suit::H->name;
    const VALUE = Suit::H?->value;

}
var_dump(new WithEnum, WithEnum::VALUE);
