<?php
// What operations cost: one line each, "name<TAB>nanoseconds", the best of ROUNDS rounds of about MS milliseconds.
//   php ops.php [FILTER [MS [ROUNDS]]]
// Each operation is a function that does it $n times in a loop of its own. What operations work on is made by unserialize(), and what they make
// is returned, so that no optimizer knows the one or drops the other. `cargo xtask bench ops` runs this under both engines in turns.

$INPUT = unserialize(serialize([
    'text' => 'The quick brown fox', 'spaced' => "  some words \n", 'csv' => 'one,two,three,four', 'list' => ['one', 'two', 'three', 'four'], 'pair' => [3, 4],
    'map' => ['a' => 1, 'b' => 2, 'c' => 3, 'd' => 4], 'other' => ['c' => 30, 'd' => 40, 'e' => 50], 'deep' => ['x' => ['y' => ['z' => 9]]],
    'ints' => range(1, 100), 'mixed' => ['id' => 17, 'name' => 'Someone', 'tags' => ['p', 'q'], 'on' => true, 'rate' => 0.25],
    'rows' => array_fill(0, 20, ['id' => 5, 'name' => 'Some Name', 'mail' => 'a@b.c', 'active' => true]),
    'html' => 'x < y & "z" > \'w\'', 'path' => '/srv/app/public/index.php', 'url' => 'https://user@example.org:8080/a/b.php?q=1&r[]=2#top',
    'utf8' => 'Zażółć gęślą jaźń', 'number' => '1234', 'float' => 2.5, 'int' => 42, 'null' => null, 'true' => true, 'key' => 'c', 'absent' => 'zz',
    'word' => 'fox', 'camel' => 'someCamelCase', 'function' => 'same', 'class' => 'Point', 'method' => 'x', 'property' => 'x', 'long' => str_repeat('Lorem ipsum dolor ', 60),
    'date' => '2024-02-29 12:34:56', 'json' => '{"id":17,"name":"Someone","tags":["p","q"],"on":true,"rate":0.25}', 'bytes' => random_bytes(1024), 'escaped' => 'a &lt; b &amp; c', 'tags' => "<p>some <b>text</b>\n</p>", 'version' => '8.4.1', 'constant' => 'PHP_EOL',
]));

function in(string $name) { return $GLOBALS['INPUT'][$name]; }

interface Shape { function area(); }
abstract class Figure implements Shape { protected $title = 't'; function title() { return $this->title; } abstract function area(); }
class Point extends Figure implements ArrayAccess, Countable, IteratorAggregate, JsonSerializable
{
    const ORIGIN = 0; const SUM = self::ORIGIN + 1;
    public $x = 1; public int $y = 2; protected $items = []; private ?string $text = null; public static $made = 0; public static int $typed = 1;
    function __construct($x = 1, int $y = 2) { $this->x = $x; $this->y = $y; }
    function area() { return 0; }
    function x() { return $this->x; }
    function setX($x): static { $this->x = $x; return $this; }
    function typed(int $a, string $b = '', ?array $c = null): int { return $a; }
    function sum() { return $this->one() + $this->two(); }
    private function one() { return 1; }
    protected function two() { return 2; }
    function add($item) { $this->items[] = $item; }
    function put($key, $item) { $this->items[$key] = $item; }
    function bump() { $this->x++; $this->y += 2; }
    function title2() { return parent::title(); }
    function loop($n) { for ($i = 0; $i < $n; $i++) { $this->x = $i; } }
    function self_($n) { for ($i = 0; $i < $n; $i++) { self::unit($i); } }
    function lazy() { return $this->text ??= 'made'; }
    static function unit($v) { return $v; }
    static function make() { return new static; }
    static function late($n) { for ($i = 0; $i < $n; $i++) { static::unit($i); } }
    function __get($name) { return 7; }
    function __set($name, $value) { }
    function __isset($name) { return true; }
    function __call($name, $args) { return 1; }
    static function __callStatic($name, $args) { return 1; }
    function __toString() { return 'point'; }
    function __invoke($v) { return $v; }
    function offsetExists($o): bool { return isset($this->items[$o]); }
    function offsetGet($o): mixed { return $this->items[$o] ?? 5; }
    function offsetSet($o, $v): void { $this->items[$o] = $v; }
    function offsetUnset($o): void { unset($this->items[$o]); }
    function count(): int { return 2; }
    function getIterator(): Iterator { return new ArrayIterator($this->items); }
    function jsonSerialize(): mixed { return ['x' => $this->x]; }
}
class Square extends Point { function area() { return 4; } function x() { return parent::x(); } }
class Circle extends Point { function area() { return 3; } }
trait Named { private $name = 'n'; function name() { return $this->name; } }
class Tagged { use Named; }
final class Money { function __construct(public readonly int $amount, public readonly string $currency = 'EUR') {} function with(int $a): self { return new self($a, $this->currency); } }
class Hooked { public int $v = 1 { get => $this->v; set { $this->v = $value; } } public int $twice { get => $this->v * 2; } }
class Wide { public $a = 1; public $b = 2; public $c = 3; public $d = 4; public $e = 5; public $f = 6; public $g = 7; public $h = 8; }
class Steps implements Iterator { private $i = 0; function __construct(private $n) {} function current(): mixed { return $this->i; } function key(): mixed { return $this->i; } function next(): void { $this->i++; } function rewind(): void { $this->i = 0; } function valid(): bool { return $this->i < $this->n; } }
class Dying { public static $n = 0; function __destruct() { self::$n++; } }
enum Level: int { case Low = 1; case High = 2; const Default = self::Low; function label() { return $this->name; } static function top() { return self::High; } }
enum Plain { case A; case B; }

function same($v) { return $v; }
function nothing() { }
function two($a, $b = 5) { return $b; }
function five($a, $b, $c, $d, $e) { return $e; }
function rest(...$all) { return $all; }
function by_ref(&$a) { $a = 1; }
function typed(int $a, ?string $b, array|bool $c = true): ?int { return $a; }
function named($a = 1, $b = 2, $c = 3) { return $b; }
function &returns_ref() { static $v = 1; return $v; }
function counter() { static $n = 0; return ++$n; }
function uses_global() { global $INPUT; return 1; }
function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
function numbers($n) { for ($i = 0; $i < $n; $i++) { yield $i; } }
function pairs($n) { for ($i = 0; $i < $n; $i++) { yield "k$i" => $i; } }
function apply(callable $f, $v) { return $f($v); }
function locals() { $a = 1; $b = 2; $c = 3; return get_defined_vars(); }

$ops = [];

// Loops and variables.
$ops['empty loop'] = function ($n) { for ($i = 0; $i < $n; $i++) { } };
$ops['while with --'] = function ($n) { while (--$n) { } };
$ops['assignment'] = function ($n) { for ($i = 0; $i < $n; $i++) { $a = $i; $b = $a; } return [$a ?? 0, $b ?? 0]; };
$ops['reference'] = function ($n) { for ($i = 0; $i < $n; $i++) { $r = &$i; unset($r); } };
$ops['variable variable'] = function ($n) { $x = 1; $name = in('property'); for ($i = 0; $i < $n; $i++) { $y = $$name; } return [$x ?? 0, $y ?? 0]; };
$ops['$GLOBALS'] = function ($n) { for ($i = 0; $i < $n; $i++) { $y = $GLOBALS['INPUT']; } return [$y ?? 0]; };
$ops['constant'] = function ($n) { for ($i = 0; $i < $n; $i++) { $y = PHP_VERSION_ID; } return [$y ?? 0]; };
$ops['own constant'] = function ($n) { defined('OWN') || define('OWN', 5); for ($i = 0; $i < $n; $i++) { $y = OWN; } return [$y ?? 0]; };
$ops['if, elseif'] = function ($n) { for ($i = 0; $i < $n; $i++) { if ($i === 1) { $x = 1; } elseif ($i === 2) { $x = 2; } elseif ($i > 3) { $x = 3; } else { $x = 4; } } return [$x ?? 0]; };
$ops['switch of ints'] = function ($n) { for ($i = 0; $i < $n; $i++) { switch ($i & 7) { case 0: $x = 0; break; case 1: $x = 1; break; case 2: $x = 2; break; case 3: $x = 3; break; case 4: $x = 4; break; case 5: $x = 5; break; default: $x = 9; } } return [$x ?? 0]; };
$ops['switch of strings'] = function ($n) { $w = in('word'); for ($i = 0; $i < $n; $i++) { switch ($w) { case 'cat': $x = 0; break; case 'dog': $x = 1; break; case 'cow': $x = 2; break; case 'fox': $x = 3; break; default: $x = 9; } } return [$x ?? 0, $w ?? 0]; };
$ops['match of strings'] = function ($n) { $w = in('word'); for ($i = 0; $i < $n; $i++) { $x = match ($w) { 'cat' => 1, 'dog' => 2, 'cow' => 3, 'fox' => 4 }; } return [$x ?? 0, $w ?? 0]; };
$ops['match (true)'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = match (true) { $i < 0 => 1, $i === -5 => 2, default => 3 }; } return [$x ?? 0]; };
$ops['?:, ??, ??='] = function ($n) { $a = in('null'); for ($i = 0; $i < $n; $i++) { $x = $i ?: 1; $y = $a ?? $i; $z = null; $z ??= 1; } return [$a ?? 0, $x ?? 0, $y ?? 0, $z ?? 0]; };

// Arithmetic and comparisons.
$ops['int + - *'] = function ($n) { $s = in('int'); for ($i = 0; $i < $n; $i++) { $s = $s * 3 + $i - 7 & 0xffff; } };
$ops['% and intdiv'] = function ($n) { $s = in('int'); for ($i = 1; $i < $n; $i++) { $x = $i % $s; $y = intdiv($i, $s); } return [$x ?? 0, $y ?? 0]; };
$ops['shifts and bits'] = function ($n) { for ($i = 1; $i < $n; $i++) { $x = $i << 3 ^ $i >> 2 | ~$i & 255; } return [$x ?? 0]; };
$ops['float * +'] = function ($n) { $f = in('float'); for ($i = 0; $i < $n; $i++) { $f = $f * 1.0000001 + 0.25; } };
$ops['int / int, **'] = function ($n) { for ($i = 1; $i < $n; $i++) { $x = $i / 3; $y = $i ** 2; } return [$x ?? 0, $y ?? 0]; };
$ops['number from string'] = function ($n) { $s = in('number'); for ($i = 0; $i < $n; $i++) { $x = $s + 1; } return [$x ?? 0]; };
$ops['=== of ints'] = function ($n) { $a = in('int'); for ($i = 0; $i < $n; $i++) { $x = $i === $a; } return [$a ?? 0, $x ?? 0]; };
$ops['=== of strings'] = function ($n) { $a = in('word'); for ($i = 0; $i < $n; $i++) { $x = $a === 'dog'; } return [$a ?? 0, $x ?? 0]; };
$ops['== of numeric strings'] = function ($n) { $a = in('number'); for ($i = 0; $i < $n; $i++) { $x = $a == '1234.0'; } return [$a ?? 0, $x ?? 0]; };
$ops['=== of arrays'] = function ($n) { $a = in('map'); $b = ['a' => 1, 'b' => 2, 'c' => 3, 'd' => 5]; for ($i = 0; $i < $n; $i++) { $x = $a === $b; } return [$a ?? 0, $b ?? 0, $x ?? 0]; };
$ops['<=> and < of strings'] = function ($n) { $a = in('word'); for ($i = 0; $i < $n; $i++) { $x = $a <=> 'foy'; $y = $a < 'fog'; } return [$a ?? 0, $x ?? 0, $y ?? 0]; };
$ops['=== null, !'] = function ($n) { $a = in('null'); for ($i = 0; $i < $n; $i++) { $x = $a === null; $y = !$x; } return [$a ?? 0, $x ?? 0, $y ?? 0]; };
$ops['(int), (string), (float), (bool)'] = function ($n) { $s = in('number'); for ($i = 0; $i < $n; $i++) { $a = (int)$s; $b = (string)$i; $c = (float)$s; $d = (bool)$s; } return [$a ?? 0, $b ?? 0, $c ?? 0, $d ?? 0]; };
$ops['(string) of a float'] = function ($n) { $f = in('float'); for ($i = 0; $i < $n; $i++) { $x = (string)($f + $i); } return [$x ?? 0]; };
$ops['max, min, abs'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = max($i, 5); $y = min($i, 5); $z = abs($i); } return [$x ?? 0, $y ?? 0, $z ?? 0]; };
$ops['round, floor'] = function ($n) { $f = in('float'); for ($i = 0; $i < $n; $i++) { $x = round($f + $i, 1); $y = floor($f); } return [$x ?? 0, $y ?? 0]; };
$ops['mt_rand'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = mt_rand(1, 100); } return [$x ?? 0]; };

// Calls.
$ops['call'] = function ($n) { for ($i = 0; $i < $n; $i++) { same($i); } };
$ops['call without arguments'] = function ($n) { for ($i = 0; $i < $n; $i++) { nothing(); } };
$ops['call with five arguments'] = function ($n) { for ($i = 0; $i < $n; $i++) { five($i, 1, 2, 3, 4); } };
$ops['call with a default'] = function ($n) { for ($i = 0; $i < $n; $i++) { two($i); } };
$ops['call with types'] = function ($n) { for ($i = 0; $i < $n; $i++) { typed($i, null); } };
$ops['call with named arguments'] = function ($n) { for ($i = 0; $i < $n; $i++) { named(b: $i); } };
$ops['call with rest'] = function ($n) { for ($i = 0; $i < $n; $i++) { rest($i, 2, 3); } };
$ops['call with spread'] = function ($n) { $a = in('pair'); for ($i = 0; $i < $n; $i++) { two(...$a); } return [$a ?? 0]; };
$ops['call by reference'] = function ($n) { for ($i = 0; $i < $n; $i++) { by_ref($a); } };
$ops['reference returned'] = function ($n) { for ($i = 0; $i < $n; $i++) { $a = &returns_ref(); } return [$a ?? 0]; };
$ops['recursion'] = function ($n) { for ($i = 0; $i < $n; $i += 100) { fib(8); } };
$ops['closure'] = function ($n) { $f = function ($v) { return $v; }; for ($i = 0; $i < $n; $i++) { $f($i); } };
$ops['closure with use'] = function ($n) { $y = 3; $f = function ($v) use ($y) { return $v + $y; }; for ($i = 0; $i < $n; $i++) { $f($i); } return [$y ?? 0]; };
$ops['arrow function'] = function ($n) { $y = 3; $f = fn($v) => $v + $y; for ($i = 0; $i < $n; $i++) { $f($i); } return [$y ?? 0]; };
$ops['arrow function made'] = function ($n) { for ($i = 0; $i < $n; $i++) { $f = fn() => $i; } };
$ops['static closure made'] = function ($n) { for ($i = 0; $i < $n; $i++) { $f = static function () { }; } };
$ops['f(...)'] = function ($n) { for ($i = 0; $i < $n; $i++) { $f = same(...); } };
$ops['call by name'] = function ($n) { $f = in('function'); for ($i = 0; $i < $n; $i++) { $f($i); } };
$ops['call by "C::m"'] = function ($n) { $f = in('class') . '::unit'; for ($i = 0; $i < $n; $i++) { $f($i); } };
$ops['[$o, "m"]()'] = function ($n) { $f = [new Point, 'x']; for ($i = 0; $i < $n; $i++) { $f(); } };
$ops['__invoke'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o($i); } };
$ops['callable parameter'] = function ($n) { $f = fn($v) => $v; for ($i = 0; $i < $n; $i++) { apply($f, $i); } };
$ops['call_user_func'] = function ($n) { $f = in('function'); for ($i = 0; $i < $n; $i++) { call_user_func($f, $i); } };
$ops['call_user_func_array'] = function ($n) { $f = in('function'); for ($i = 0; $i < $n; $i++) { call_user_func_array($f, [$i]); } };
$ops['call_user_func of a method'] = function ($n) { $f = [new Point, 'x']; for ($i = 0; $i < $n; $i++) { call_user_func($f); } };
$ops['func_get_args'] = function ($n) { $f = function () { return func_get_args(); }; for ($i = 0; $i < $n; $i++) { $f($i, 2); } };
$ops['static variable'] = function ($n) { for ($i = 0; $i < $n; $i++) { counter(); } };
$ops['global'] = function ($n) { for ($i = 0; $i < $n; $i++) { uses_global(); } };
$ops['get_defined_vars'] = function ($n) { for ($i = 0; $i < $n; $i++) { locals(); } };
$ops['is_callable'] = function ($n) { $f = in('function'); $o = [new Point, 'x']; for ($i = 0; $i < $n; $i++) { $x = is_callable($f) && is_callable($o); } return [$x ?? 0]; };
$ops['function_exists'] = function ($n) { $f = in('function'); for ($i = 0; $i < $n; $i++) { $x = function_exists($f); } return [$x ?? 0]; };
$ops['generator'] = function ($n) { foreach (numbers($n) as $v) { } };
$ops['generator with keys'] = function ($n) { foreach (pairs($n) as $k => $v) { } };
$ops['yield from'] = function ($n) { $g = (function () use ($n) { yield from numbers($n); })(); foreach ($g as $v) { } };
$ops['generator, send'] = function ($n) { $g = (function () { while (true) { $x = yield $x ?? 0; } })(); for ($i = 0; $i < $n; $i++) { $g->send($i); } return [$x ?? 0]; };
$ops['generator made'] = function ($n) { for ($i = 0; $i < $n; $i++) { foreach (numbers(1) as $v) { } } };
$ops['try without throw'] = function ($n) { for ($i = 0; $i < $n; $i++) { try { $x = $i; } catch (Exception) { } finally { $y = 1; } } return [$x ?? 0, $y ?? 0]; };
$ops['throw and catch'] = function ($n) { for ($i = 0; $i < $n; $i++) { try { throw new RuntimeException('no'); } catch (LogicException | RuntimeException $e) { } } };
$ops['throw through calls'] = function ($n) { $f = function ($d) use (&$f) { if ($d == 0) { throw new Exception('deep'); } return $f($d - 1); }; for ($i = 0; $i < $n; $i++) { try { $f(5); } catch (Exception) { } } };
$ops['@ and error_reporting'] = function ($n) { $a = []; for ($i = 0; $i < $n; $i++) { $x = @same($i); } return [$a ?? 0, $x ?? 0]; };
$ops['debug_backtrace'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS, 2); } return [$x ?? 0]; };

// Methods and static members.
$ops['method'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o->x(); } };
$ops['method, three classes'] = function ($n) { $o = [new Point, new Square, new Circle]; for ($i = 0; $i < $n; $i++) { $o[$i % 3]->area(); } };
$ops['method, fluent'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o->setX($i)->setX(2); } };
$ops['method with types'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o->typed($i, 'b'); } };
$ops['methods of $this'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o->sum(); } };
$ops['parent::method'] = function ($n) { $o = new Square; for ($i = 0; $i < $n; $i++) { $o->x(); } };
$ops['self::method'] = function ($n) { (new Point)->self_($n); };
$ops['static::method'] = function ($n) { Square::late($n); };
$ops['Class::method'] = function ($n) { for ($i = 0; $i < $n; $i++) { Point::unit($i); } };
$ops['$class::method'] = function ($n) { $c = in('class'); for ($i = 0; $i < $n; $i++) { $c::unit($i); } return [$c ?? 0]; };
$ops['method by name'] = function ($n) { $o = new Point; $m = in('method'); for ($i = 0; $i < $n; $i++) { $o->$m(); } return [$m ?? 0]; };
$ops['method of a trait'] = function ($n) { $o = new Tagged; for ($i = 0; $i < $n; $i++) { $o->name(); } };
$ops['?->method'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o?->x(); } };
$ops['__call'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o->absent($i); } };
$ops['__callStatic'] = function ($n) { for ($i = 0; $i < $n; $i++) { Point::absent($i); } };
$ops['static property'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = Point::$made; Point::$made = $i; } return [$x ?? 0]; };
$ops['static property ++'] = function ($n) { for ($i = 0; $i < $n; $i++) { Point::$made++; } };
$ops['class constant'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = Point::SUM; } return [$x ?? 0]; };
$ops['$o::CONST, ::class'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $x = $o::ORIGIN; $y = $o::class; } return [$x ?? 0, $y ?? 0]; };
$ops['enum case and method'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = Level::High->label(); } return [$x ?? 0]; };
$ops['enum ===, match'] = function ($n) { $e = Plain::B; for ($i = 0; $i < $n; $i++) { $x = match ($e) { Plain::A => 1, Plain::B => 2 }; } return [$x ?? 0]; };
$ops['Enum::from, tryFrom'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = Level::from(2); $y = Level::tryFrom(9); } return [$x ?? 0, $y ?? 0]; };
$ops['Enum::cases'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = Level::cases(); } return [$x ?? 0]; };

// Objects.
$ops['new'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = new Tagged; } return [$x ?? 0]; };
$ops['new with a constructor'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = new Point($i, 3); } return [$x ?? 0]; };
$ops['new, promoted readonly'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = new Money($i, 'USD'); } return [$x ?? 0]; };
$ops['new static, new self'] = function ($n) { $m = new Money(1); for ($i = 0; $i < $n; $i++) { $x = Point::make(); $y = $m->with($i); } return [$x ?? 0, $y ?? 0, $m ?? 0]; };
$ops['new $class'] = function ($n) { $c = in('class'); for ($i = 0; $i < $n; $i++) { $x = new $c; } return [$c ?? 0, $x ?? 0]; };
$ops['new anonymous class'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = new class { public $v = 1; }; } return [$x ?? 0]; };
$ops['new, destructor'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = new Dying; } return [$x ?? 0]; };
$ops['new, eight properties'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = new Wide; } return [$x ?? 0]; };
$ops['clone'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $x = clone $o; } return [$x ?? 0]; };
$ops['instanceof'] = function ($n) { $o = new Square; for ($i = 0; $i < $n; $i++) { $x = $o instanceof Shape; $y = $o instanceof Circle; } return [$x ?? 0, $y ?? 0]; };
$ops['property read'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $x = $o->x; } return [$x ?? 0]; };
$ops['property written'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o->x = $i; } };
$ops['$this->x = '] = function ($n) { (new Point)->loop($n); };
$ops['typed property written'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o->y = $i; } };
$ops['++, += of properties'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o->bump(); } };
$ops['readonly property'] = function ($n) { $o = new Money(3); for ($i = 0; $i < $n; $i++) { $x = $o->amount; } return [$x ?? 0]; };
$ops['hooked property'] = function ($n) { $o = new Hooked; for ($i = 0; $i < $n; $i++) { $o->v = 2; $x = $o->twice; } return [$x ?? 0]; };
$ops['property by name'] = function ($n) { $o = new Point; $p = in('property'); for ($i = 0; $i < $n; $i++) { $x = $o->$p; } return [$x ?? 0]; };
$ops['isset, ?? of properties'] = function ($n) { $o = new Wide; for ($i = 0; $i < $n; $i++) { $x = isset($o->a); $y = $o->b ?? 1; } return [$x ?? 0, $y ?? 0]; };
$ops['??= of a property'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o->lazy(); } };
$ops['property of a property'] = function ($n) { $o = new Wide; $o->a = new Wide; for ($i = 0; $i < $n; $i++) { $x = $o->a->b; $o->a->c = $i; } return [$x ?? 0]; };
$ops['array property, append'] = function ($n) { for ($j = 0; $j < $n; $j += 50) { $o = new Point; for ($i = 0; $i < 50; $i++) { $o->add($i); } } };
$ops['array property, put'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o->put('k', $i); } };
$ops['__get'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $x = $o->absent; } return [$x ?? 0]; };
$ops['__set, __isset'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o->absent = 1; $x = isset($o->absent); } return [$x ?? 0]; };
$ops['__toString'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $x = (string)$o; } return [$x ?? 0]; };
$ops['stdClass, three properties'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = new stdClass; $x->a = 1; $x->b = $i; $x->c = 3; } return [$x ?? 0]; };
$ops['stdClass, read'] = function ($n) { $o = (object)in('map'); for ($i = 0; $i < $n; $i++) { $x = $o->c; } return [$x ?? 0]; };
$ops['(object)[…]'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = (object)['a' => $i, 'b' => 2]; } return [$x ?? 0]; };
$ops['(array)$o'] = function ($n) { $o = new Wide; for ($i = 0; $i < $n; $i++) { $x = (array)$o; } return [$x ?? 0]; };
$ops['get_object_vars'] = function ($n) { $o = new Wide; for ($i = 0; $i < $n; $i++) { $x = get_object_vars($o); } return [$x ?? 0]; };
$ops['foreach over an object'] = function ($n) { $o = new Wide; for ($i = 0; $i < $n; $i += 8) { foreach ($o as $k => $v) { } } };
$ops['get_class, get_parent_class'] = function ($n) { $o = new Square; for ($i = 0; $i < $n; $i++) { $x = get_class($o); $y = get_parent_class($o); } return [$x ?? 0, $y ?? 0]; };
$ops['method_exists, property_exists'] = function ($n) { $o = new Square; for ($i = 0; $i < $n; $i++) { $x = method_exists($o, 'sum'); $y = property_exists($o, 'x'); } return [$x ?? 0, $y ?? 0]; };
$ops['class_exists'] = function ($n) { $c = in('class'); for ($i = 0; $i < $n; $i++) { $x = class_exists($c); } return [$c ?? 0, $x ?? 0]; };
$ops['is_a, is_subclass_of'] = function ($n) { $o = new Square; for ($i = 0; $i < $n; $i++) { $x = is_a($o, 'Point'); $y = is_subclass_of($o, 'Shape'); } return [$x ?? 0, $y ?? 0]; };
$ops['Closure::bind'] = function ($n) { $o = new Point; $f = function () { return $this->x; }; for ($i = 0; $i < $n; $i++) { $x = Closure::bind($f, $o, Point::class); } return [$x ?? 0]; };
$ops['spl_object_id'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $x = spl_object_id($o); } return [$x ?? 0]; };
$ops['ArrayAccess'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $o['k'] = $i; $x = $o['k']; $y = isset($o['k']); } return [$x ?? 0, $y ?? 0]; };
$ops['ArrayObject'] = function ($n) { $o = new ArrayObject(in('map')); for ($i = 0; $i < $n; $i++) { $o['c'] = $i; $x = $o['c']; } return [$x ?? 0]; };
$ops['ArrayIterator'] = function ($n) { $a = in('ints'); for ($i = 0; $i < $n; $i += 100) { foreach (new ArrayIterator($a) as $v) { } } return [$a ?? 0]; };
$ops['Iterator'] = function ($n) { foreach (new Steps($n) as $k => $v) { } };
$ops['IteratorAggregate'] = function ($n) { $o = new Point; for ($i = 0; $i < 10; $i++) { $o->add($i); } for ($i = 0; $i < $n; $i += 10) { foreach ($o as $k => $v) { } } };
$ops['count of a Countable'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $x = count($o); } return [$x ?? 0]; };
$ops['SplObjectStorage'] = function ($n) { $s = new SplObjectStorage; $o = new Point; for ($i = 0; $i < $n; $i++) { $s[$o] = $i; $x = $s[$o]; $y = isset($s[$o]); } return [$x ?? 0, $y ?? 0]; };
$ops['SplStack'] = function ($n) { $s = new SplStack; for ($i = 0; $i < $n; $i++) { $s->push($i); $s->pop(); } };
$ops['SplPriorityQueue'] = function ($n) { $s = new SplPriorityQueue; for ($i = 0; $i < 16; $i++) { $s->insert($i, $i); } for ($i = 0; $i < $n; $i++) { $s->insert($i, $i & 15); $s->extract(); } };
$ops['SplFixedArray'] = function ($n) { $s = new SplFixedArray(16); for ($i = 0; $i < $n; $i++) { $s[$i & 15] = $i; $x = $s[3]; } return [$x ?? 0]; };
$ops['WeakMap'] = function ($n) { $m = new WeakMap; $o = new Point; for ($i = 0; $i < $n; $i++) { $m[$o] = $i; $x = $m[$o]; } return [$x ?? 0, $m ?? 0]; };
$ops['ReflectionClass'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = (new ReflectionClass('Point'))->getMethod('x')->getName(); } return [$x ?? 0]; };
$ops['ReflectionFunction parameters'] = function ($n) { for ($i = 0; $i < $n; $i += 4) { foreach ((new ReflectionFunction('typed'))->getParameters() as $p) { $x = $p->getType(); } } return [$x ?? 0]; };

// Arrays.
$ops['[…] of constants'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = [1, 2, 3]; } return [$x ?? 0]; };
$ops['[$i, $i, $i]'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = [$i, $i, $i]; } return [$x ?? 0]; };
$ops['["a" => $i, …]'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = ['a' => $i, 'b' => 2, 'c' => $i]; } return [$x ?? 0]; };
$ops['[$k => $i]'] = function ($n) { $k = in('key'); for ($i = 0; $i < $n; $i++) { $x = [$k => $i]; } return [$x ?? 0]; };
$ops['$a["c"]'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $x = $a['c']; } return [$a ?? 0, $x ?? 0]; };
$ops['$a[$k]'] = function ($n) { $a = in('map'); $k = in('key'); for ($i = 0; $i < $n; $i++) { $x = $a[$k]; } return [$a ?? 0, $x ?? 0]; };
$ops['$a[$i]'] = function ($n) { $a = in('ints'); for ($i = 0; $i < $n; $i++) { $x = $a[$i % 100]; } return [$a ?? 0, $x ?? 0]; };
$ops['$a["x"]["y"]["z"]'] = function ($n) { $a = in('deep'); for ($i = 0; $i < $n; $i++) { $x = $a['x']['y']['z']; } return [$a ?? 0, $x ?? 0]; };
$ops['$a["c"] = $i'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $a['c'] = $i; } return [$a ?? 0]; };
$ops['$a[$i] = $i'] = function ($n) { $a = in('ints'); for ($i = 0; $i < $n; $i++) { $a[$i % 100] = $i; } return [$a ?? 0]; };
$ops['$a["x"]["y"]["z"] = $i'] = function ($n) { $a = in('deep'); for ($i = 0; $i < $n; $i++) { $a['x']['y']['z'] = $i; } return [$a ?? 0]; };
$ops['$a["c"]++, .='] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $a['c']++; $a['s'] = ''; $a['s'] .= 'x'; } return [$a ?? 0]; };
$ops['$a[$k][] = $i'] = function ($n) { for ($j = 0; $j < $n; $j += 100) { $a = []; for ($i = 0; $i < 100; $i++) { $a['k'][] = $i; } } return [$a ?? 0]; };
$ops['$a[] = $i'] = function ($n) { for ($j = 0; $j < $n; $j += 1000) { $a = []; for ($i = 0; $i < 1000; $i++) { $a[] = $i; } } return [$a ?? 0]; };
$ops['$a["k$i"] = $i'] = function ($n) { for ($j = 0; $j < $n; $j += 1000) { $a = []; for ($i = 0; $i < 1000; $i++) { $a["k$i"] = $i; } } return [$a ?? 0]; };
$ops['isset($a["c"])'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $x = isset($a['c']); $y = isset($a['zz']); } return [$a ?? 0, $x ?? 0, $y ?? 0]; };
$ops['isset($a[$k])'] = function ($n) { $a = in('map'); $k = in('absent'); for ($i = 0; $i < $n; $i++) { $x = isset($a[$k]); } return [$a ?? 0, $x ?? 0]; };
$ops['isset($a["x"]["y"]["q"])'] = function ($n) { $a = in('deep'); for ($i = 0; $i < $n; $i++) { $x = isset($a['x']['y']['q']); } return [$a ?? 0, $x ?? 0]; };
$ops['if (isset(…) && …)'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { if (isset($a['c']) && $a['c'] > 2) { $x = 1; } } return [$a ?? 0, $x ?? 0]; };
$ops['$a["zz"] ?? 5'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $x = $a['zz'] ?? 5; } return [$a ?? 0, $x ?? 0]; };
$ops['$a["c"] ?? 5'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $x = $a['c'] ?? 5; } return [$a ?? 0, $x ?? 0]; };
$ops['empty($a["c"])'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $x = empty($a['c']); $y = empty($a['zz']); } return [$a ?? 0, $x ?? 0, $y ?? 0]; };
$ops['unset and set'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { unset($a['c']); $a['c'] = 1; } return [$a ?? 0]; };
$ops['copy on write'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $b = $a; $b[] = 1; } return [$a ?? 0, $b ?? 0]; };
$ops['copy on write, a map'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $b = $a; $b['x'] = 1; } return [$a ?? 0, $b ?? 0]; };
$ops['foreach of values'] = function ($n) { $a = in('ints'); for ($j = 0; $j < $n; $j += 100) { foreach ($a as $v) { $x = $v; } } return [$a ?? 0, $x ?? 0]; };
$ops['foreach of keys and values'] = function ($n) { $a = in('map'); for ($j = 0; $j < $n; $j += 4) { foreach ($a as $k => $v) { $x = $v; } } return [$a ?? 0, $x ?? 0]; };
$ops['foreach by reference'] = function ($n) { $a = in('ints'); for ($j = 0; $j < $n; $j += 100) { foreach ($a as &$v) { $v = 1; } unset($v); } return [$a ?? 0]; };
$ops['foreach of records'] = function ($n) { $a = in('rows'); for ($j = 0; $j < $n; $j += 20) { foreach ($a as ['id' => $id, 'name' => $name]) { } } return [$a ?? 0]; };
$ops['foreach, list keys changed'] = function ($n) { for ($j = 0; $j < $n; $j += 4) { $a = in('map'); foreach ($a as $k => $v) { $a[$k] = $v + 1; } } return [$a ?? 0]; };
$ops['[$x, $y] = $a'] = function ($n) { $a = in('pair'); for ($i = 0; $i < $n; $i++) { [$x, $y] = $a; } return [$a ?? 0, $x ?? 0]; };
$ops['[$x, $y] = [$y, $x]'] = function ($n) { $x = 1; $y = 2; for ($i = 0; $i < $n; $i++) { [$x, $y] = [$y, $x]; } return [$x ?? 0, $y ?? 0]; };
$ops['["a" => $x] = $a'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { ['a' => $x, 'c' => $y] = $a; } return [$a ?? 0]; };
$ops['[...$a, ...$b]'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = [...$a, ...$a]; } return [$a ?? 0, $x ?? 0]; };
$ops['$a + $b'] = function ($n) { $a = in('map'); $b = in('other'); for ($i = 0; $i < $n; $i++) { $x = $a + $b; } return [$a ?? 0, $b ?? 0, $x ?? 0]; };
$ops['count'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = count($a); } return [$a ?? 0, $x ?? 0]; };
$ops['in_array'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = in_array('three', $a); $y = in_array('three', $a, true); } return [$a ?? 0, $x ?? 0, $y ?? 0]; };
$ops['array_search'] = function ($n) { $a = in('ints'); for ($i = 0; $i < $n; $i++) { $x = array_search(50, $a, true); } return [$a ?? 0, $x ?? 0]; };
$ops['array_key_exists'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $x = array_key_exists('c', $a); } return [$a ?? 0, $x ?? 0]; };
$ops['array_key_first, array_key_last'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $x = array_key_first($a); $y = array_key_last($a); } return [$a ?? 0, $x ?? 0, $y ?? 0]; };
$ops['array_merge'] = function ($n) { $a = in('map'); $b = in('other'); for ($i = 0; $i < $n; $i++) { $x = array_merge($a, $b); } return [$a ?? 0, $b ?? 0, $x ?? 0]; };
$ops['array_merge of lists'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = array_merge($a, $a); } return [$a ?? 0, $x ?? 0]; };
$ops['array_replace'] = function ($n) { $a = in('map'); $b = in('other'); for ($i = 0; $i < $n; $i++) { $x = array_replace($a, $b); } return [$a ?? 0, $b ?? 0, $x ?? 0]; };
$ops['array_merge_recursive'] = function ($n) { $a = in('deep'); for ($i = 0; $i < $n; $i++) { $x = array_merge_recursive($a, $a); } return [$a ?? 0, $x ?? 0]; };
$ops['array_keys'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $x = array_keys($a); } return [$a ?? 0, $x ?? 0]; };
$ops['array_values'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $x = array_values($a); } return [$a ?? 0, $x ?? 0]; };
$ops['array_map'] = function ($n) { $a = in('ints'); $f = fn($v) => $v; for ($i = 0; $i < $n; $i += 100) { $x = array_map($f, $a); } return [$a ?? 0, $x ?? 0]; };
$ops['array_map of a builtin'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i += 4) { $x = array_map('strtoupper', $a); } return [$a ?? 0, $x ?? 0]; };
$ops['array_map of two'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i += 4) { $x = array_map(null, $a, $a); } return [$a ?? 0, $x ?? 0]; };
$ops['array_filter'] = function ($n) { $a = in('ints'); $f = fn($v) => $v & 1; for ($i = 0; $i < $n; $i += 100) { $x = array_filter($a, $f); } return [$a ?? 0, $x ?? 0]; };
$ops['array_filter without a function'] = function ($n) { $a = in('mixed'); for ($i = 0; $i < $n; $i++) { $x = array_filter($a); } return [$a ?? 0, $x ?? 0]; };
$ops['array_reduce'] = function ($n) { $a = in('ints'); $f = fn($c, $v) => $c + $v; for ($i = 0; $i < $n; $i += 100) { $x = array_reduce($a, $f, 0); } return [$a ?? 0, $x ?? 0]; };
$ops['array_walk'] = function ($n) { $a = in('ints'); $f = function (&$v, $k) { $v = $k; }; for ($i = 0; $i < $n; $i += 100) { array_walk($a, $f); } return [$a ?? 0]; };
$ops['array_sum, array_product'] = function ($n) { $a = in('pair'); for ($i = 0; $i < $n; $i++) { $x = array_sum($a); $y = array_product($a); } return [$a ?? 0, $x ?? 0, $y ?? 0]; };
$ops['array_slice'] = function ($n) { $a = in('ints'); for ($i = 0; $i < $n; $i++) { $x = array_slice($a, 10, 5); } return [$a ?? 0, $x ?? 0]; };
$ops['array_splice'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { array_splice($a, 1, 1, ['new']); } return [$a ?? 0]; };
$ops['array_pop, array_push'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = array_pop($a); array_push($a, $x); } return [$a ?? 0, $x ?? 0]; };
$ops['array_shift, array_unshift'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = array_shift($a); array_unshift($a, $x); } return [$a ?? 0, $x ?? 0]; };
$ops['array_reverse'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = array_reverse($a); } return [$a ?? 0, $x ?? 0]; };
$ops['array_unique'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = array_unique($a); } return [$a ?? 0, $x ?? 0]; };
$ops['array_flip'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = array_flip($a); } return [$a ?? 0, $x ?? 0]; };
$ops['array_combine, array_fill_keys'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = array_combine($a, $a); $y = array_fill_keys($a, 0); } return [$a ?? 0, $x ?? 0, $y ?? 0]; };
$ops['array_fill, range'] = function ($n) { for ($i = 0; $i < $n; $i += 10) { $x = array_fill(0, 10, 0); $y = range(1, 10); } return [$x ?? 0, $y ?? 0]; };
$ops['array_column'] = function ($n) { $a = in('rows'); for ($i = 0; $i < $n; $i += 20) { $x = array_column($a, 'name'); } return [$a ?? 0, $x ?? 0]; };
$ops['array_chunk'] = function ($n) { $a = in('ints'); for ($i = 0; $i < $n; $i += 100) { $x = array_chunk($a, 10); } return [$a ?? 0, $x ?? 0]; };
$ops['array_diff, array_intersect'] = function ($n) { $a = in('list'); $b = ['two', 'five']; for ($i = 0; $i < $n; $i++) { $x = array_diff($a, $b); $y = array_intersect($a, $b); } return [$a ?? 0, $b ?? 0, $x ?? 0, $y ?? 0]; };
$ops['array_diff_key, array_intersect_key'] = function ($n) { $a = in('map'); $b = in('other'); for ($i = 0; $i < $n; $i++) { $x = array_diff_key($a, $b); $y = array_intersect_key($a, $b); } return [$a ?? 0, $b ?? 0, $x ?? 0, $y ?? 0]; };
$ops['array_pad, array_is_list'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = array_pad($a, 6, 0); $y = array_is_list($a); } return [$a ?? 0, $x ?? 0, $y ?? 0]; };
$ops['reset, end, key, current'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $x = reset($a); $y = end($a); $z = key($a); $w = current($a); } return [$a ?? 0, $x ?? 0, $y ?? 0, $z ?? 0, $w ?? 0]; };
$ops['compact'] = function ($n) { $a = 1; $b = 2; for ($i = 0; $i < $n; $i++) { $x = compact('a', 'b'); } return [$a ?? 0, $b ?? 0, $x ?? 0]; };
$ops['extract'] = function ($n) { $m = in('map'); for ($i = 0; $i < $n; $i++) { extract($m); } return [$m ?? 0]; };
$ops['sort'] = function ($n) { mt_srand(3); $a = in('ints'); shuffle($a); for ($i = 0; $i < $n; $i += 100) { $b = $a; sort($b); } return [$a ?? 0, $b ?? 0]; };
$ops['usort'] = function ($n) { mt_srand(3); $a = in('ints'); shuffle($a); $f = fn($x, $y) => $x <=> $y; for ($i = 0; $i < $n; $i += 100) { $b = $a; usort($b, $f); } return [$a ?? 0, $b ?? 0]; };
$ops['ksort'] = function ($n) { $a = ['d' => 1, 'b' => 2, 'c' => 3, 'a' => 4]; for ($i = 0; $i < $n; $i++) { $b = $a; ksort($b); } return [$a ?? 0, $b ?? 0]; };
$ops['uasort, uksort'] = function ($n) { $a = ['d' => 4, 'b' => 2, 'c' => 3, 'a' => 1]; $f = fn($x, $y) => $x <=> $y; for ($i = 0; $i < $n; $i++) { $b = $a; uasort($b, $f); uksort($b, $f); } return [$a ?? 0, $b ?? 0]; };
$ops['array_multisort'] = function ($n) { $a = [3, 1, 2]; for ($i = 0; $i < $n; $i++) { $b = $a; array_multisort($b); } return [$a ?? 0, $b ?? 0]; };
$ops['iterator_to_array'] = function ($n) { for ($i = 0; $i < $n; $i += 10) { $x = iterator_to_array(numbers(10)); } return [$x ?? 0]; };

// Strings.
$ops['"a $i b"'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = "a $i b"; } return [$x ?? 0]; };
$ops['"{$a["c"]} {$o->x}"'] = function ($n) { $a = in('map'); $o = new Point; for ($i = 0; $i < $n; $i++) { $x = "{$a['c']} {$o->x}"; } return [$a ?? 0, $x ?? 0]; };
$ops['$a . $b . $c'] = function ($n) { $a = in('text'); $b = in('word'); for ($i = 0; $i < $n; $i++) { $x = $a . '-' . $b . '-' . $i; } return [$a ?? 0, $b ?? 0, $x ?? 0]; };
$ops['$s .= "abc"'] = function ($n) { for ($j = 0; $j < $n; $j += 1000) { $s = ''; for ($i = 0; $i < 1000; $i++) { $s .= 'abc'; } } };
$ops['$s[$i]'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = $s[$i % 19]; } return [$x ?? 0]; };
$ops['isset($s[$i])'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = isset($s[$i % 40]); } return [$x ?? 0]; };
$ops['$s[0] === "x"'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = $s[0] === 'T'; $y = $s[-1] === 'y'; } return [$x ?? 0, $y ?? 0]; };
$ops['strlen'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = strlen($s); } return [$x ?? 0]; };
$ops['is_string, is_array, is_int, is_null'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = is_string($s); $y = is_array($s); $z = is_int($s); $w = is_null($s); } return [$x ?? 0, $y ?? 0, $z ?? 0, $w ?? 0]; };
$ops['is_numeric'] = function ($n) { $s = in('number'); $t = in('word'); for ($i = 0; $i < $n; $i++) { $x = is_numeric($s); $y = is_numeric($t); } return [$x ?? 0, $y ?? 0]; };
$ops['strpos'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = strpos($s, 'brown'); $y = strpos($s, 'x', 3); } return [$x ?? 0, $y ?? 0]; };
$ops['stripos, strrpos'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = stripos($s, 'BROWN'); $y = strrpos($s, 'o'); } return [$x ?? 0, $y ?? 0]; };
$ops['str_starts_with, str_ends_with, str_contains'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = str_starts_with($s, 'The'); $y = str_ends_with($s, 'fox'); $z = str_contains($s, 'own'); } return [$x ?? 0, $y ?? 0, $z ?? 0]; };
$ops['substr'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = substr($s, 4, 5); $y = substr($s, -3); } return [$x ?? 0, $y ?? 0]; };
$ops['substr_count, strspn'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = substr_count($s, 'o'); $y = strspn($s, 'The'); } return [$x ?? 0, $y ?? 0]; };
$ops['strstr, strrchr'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = strstr($s, 'qu'); $y = strrchr($s, ' '); } return [$x ?? 0, $y ?? 0]; };
$ops['strcmp, strncmp, strcasecmp'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = strcmp($s, 'The slow'); $y = strncmp($s, 'Thx', 3); $z = strcasecmp($s, 'the quick brown fax'); } return [$x ?? 0, $y ?? 0, $z ?? 0]; };
$ops['trim'] = function ($n) { $s = in('spaced'); for ($i = 0; $i < $n; $i++) { $x = trim($s); } return [$x ?? 0]; };
$ops['trim of nothing'] = function ($n) { $s = in('word'); for ($i = 0; $i < $n; $i++) { $x = trim($s); } return [$x ?? 0]; };
$ops['ltrim, rtrim of letters'] = function ($n) { $s = in('path'); for ($i = 0; $i < $n; $i++) { $x = ltrim($s, '/'); $y = rtrim($s, 'p'); } return [$x ?? 0, $y ?? 0]; };
$ops['strtolower, strtoupper'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = strtolower($s); $y = strtoupper($s); } return [$x ?? 0, $y ?? 0]; };
$ops['ucfirst, lcfirst, ucwords'] = function ($n) { $s = in('camel'); for ($i = 0; $i < $n; $i++) { $x = ucfirst($s); $y = lcfirst($s); $z = ucwords($s); } return [$x ?? 0, $y ?? 0, $z ?? 0]; };
$ops['explode'] = function ($n) { $s = in('csv'); for ($i = 0; $i < $n; $i++) { $x = explode(',', $s); } return [$x ?? 0]; };
$ops['implode'] = function ($n) { $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = implode(', ', $a); } return [$a ?? 0, $x ?? 0]; };
$ops['implode of ints'] = function ($n) { $a = in('ints'); for ($i = 0; $i < $n; $i += 100) { $x = implode(',', $a); } return [$a ?? 0, $x ?? 0]; };
$ops['str_replace'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = str_replace('brown', 'red', $s); } return [$x ?? 0]; };
$ops['str_replace of nothing'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = str_replace('\\', '/', $s); } return [$x ?? 0]; };
$ops['str_replace of arrays'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = str_replace(['quick', 'brown', 'fox'], ['slow', 'red', 'dog'], $s); } return [$x ?? 0]; };
$ops['strtr of letters'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = strtr($s, 'abc', 'xyz'); } return [$x ?? 0]; };
$ops['strtr of an array'] = function ($n) { $s = in('text'); $m = ['quick' => 'slow', 'fox' => 'dog']; for ($i = 0; $i < $n; $i++) { $x = strtr($s, $m); } return [$x ?? 0, $m ?? 0]; };
$ops['str_repeat, str_pad'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = str_repeat('ab', 10); $y = str_pad('7', 5, '0', STR_PAD_LEFT); } return [$x ?? 0, $y ?? 0]; };
$ops['str_split, strrev'] = function ($n) { $s = in('word'); for ($i = 0; $i < $n; $i++) { $x = str_split($s); $y = strrev($s); } return [$x ?? 0, $y ?? 0]; };
$ops['ord, chr'] = function ($n) { $s = in('word'); for ($i = 0; $i < $n; $i++) { $x = ord($s); $y = chr($x); } return [$x ?? 0, $y ?? 0]; };
$ops['dechex, bin2hex, hexdec'] = function ($n) { $s = in('word'); for ($i = 0; $i < $n; $i++) { $x = dechex($i); $y = bin2hex($s); $z = hexdec('ff'); } return [$x ?? 0, $y ?? 0, $z ?? 0]; };
$ops['sprintf'] = function ($n) { $s = in('word'); for ($i = 0; $i < $n; $i++) { $x = sprintf('%s: %05d (%.2f)', $s, $i, 1.5); } return [$x ?? 0]; };
$ops['vsprintf'] = function ($n) { $a = in('pair'); for ($i = 0; $i < $n; $i++) { $x = vsprintf('%d/%d', $a); } return [$a ?? 0, $x ?? 0]; };
$ops['number_format'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = number_format($i * 1.25, 2, ',', '.'); } return [$x ?? 0]; };
$ops['htmlspecialchars'] = function ($n) { $s = in('html'); for ($i = 0; $i < $n; $i++) { $x = htmlspecialchars($s); } return [$x ?? 0]; };
$ops['htmlspecialchars of nothing'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = htmlspecialchars($s, ENT_QUOTES, 'UTF-8'); } return [$x ?? 0]; };
$ops['htmlspecialchars_decode, html_entity_decode'] = function ($n) { $s = in('escaped'); for ($i = 0; $i < $n; $i++) { $x = htmlspecialchars_decode($s); $y = html_entity_decode($s); } return [$x ?? 0, $y ?? 0]; };
$ops['strip_tags, nl2br'] = function ($n) { $s = in('tags'); for ($i = 0; $i < $n; $i++) { $x = strip_tags($s); $y = nl2br($s); } return [$x ?? 0, $y ?? 0]; };
$ops['addslashes, stripslashes'] = function ($n) { $s = in('html'); for ($i = 0; $i < $n; $i++) { $x = addslashes($s); $y = stripslashes($x); } return [$x ?? 0, $y ?? 0]; };
$ops['urlencode, rawurlencode, urldecode'] = function ($n) { $s = in('html'); for ($i = 0; $i < $n; $i++) { $x = urlencode($s); $y = rawurlencode($s); $z = urldecode($x); } return [$x ?? 0, $y ?? 0, $z ?? 0]; };
$ops['parse_url'] = function ($n) { $s = in('url'); for ($i = 0; $i < $n; $i++) { $x = parse_url($s); } return [$x ?? 0]; };
$ops['parse_str, http_build_query'] = function ($n) { $a = in('map'); for ($i = 0; $i < $n; $i++) { $x = http_build_query($a); parse_str($x, $y); } return [$a ?? 0, $x ?? 0]; };
$ops['wordwrap, similar_text'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = wordwrap($s, 10); $y = similar_text($s, 'the brown fox'); } return [$x ?? 0, $y ?? 0]; };
$ops['levenshtein, soundex'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = levenshtein($s, 'the brown fox'); $y = soundex($s); } return [$x ?? 0, $y ?? 0]; };
$ops['version_compare'] = function ($n) { $v = in('version'); for ($i = 0; $i < $n; $i++) { $x = version_compare($v, '8.3.12', '>='); } return [$x ?? 0]; };
$ops['mb_strlen, mb_substr'] = function ($n) { $s = in('utf8'); for ($i = 0; $i < $n; $i++) { $x = mb_strlen($s); $y = mb_substr($s, 3, 4); } return [$x ?? 0, $y ?? 0]; };
$ops['mb_strtolower, mb_strtoupper'] = function ($n) { $s = in('utf8'); for ($i = 0; $i < $n; $i++) { $x = mb_strtolower($s); $y = mb_strtoupper($s, 'UTF-8'); } return [$x ?? 0, $y ?? 0]; };
$ops['mb_strpos, mb_convert_encoding'] = function ($n) { $s = in('utf8'); for ($i = 0; $i < $n; $i++) { $x = mb_strpos($s, 'ja'); $y = mb_convert_encoding($s, 'ISO-8859-2', 'UTF-8'); } return [$x ?? 0, $y ?? 0]; };
$ops['mb_check_encoding'] = function ($n) { $s = in('utf8'); for ($i = 0; $i < $n; $i++) { $x = mb_check_encoding($s, 'UTF-8'); } return [$x ?? 0]; };
$ops['ctype_digit, ctype_alpha'] = function ($n) { $s = in('number'); for ($i = 0; $i < $n; $i++) { $x = ctype_digit($s); $y = ctype_alpha($s); } return [$x ?? 0, $y ?? 0]; };
$ops['md5, crc32'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = md5($s); $y = crc32($s); } return [$x ?? 0, $y ?? 0]; };
$ops['sha1, sha256 of 1 KB'] = function ($n) { $s = in('bytes'); for ($i = 0; $i < $n; $i += 10) { $x = sha1($s); $y = hash('sha256', $s); } return [$x ?? 0, $y ?? 0]; };
$ops['hash_hmac, hash_equals'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i += 4) { $x = hash_hmac('sha256', $s, 'key'); $y = hash_equals($x, $x); } return [$x ?? 0, $y ?? 0]; };
$ops['base64 of 1 KB'] = function ($n) { $s = in('bytes'); for ($i = 0; $i < $n; $i += 4) { $x = base64_decode(base64_encode($s)); } return [$x ?? 0]; };
$ops['uniqid, random_int'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = random_int(1, 100); } return [$x ?? 0]; };
$ops['gzcompress of 1 KB'] = function ($n) { $s = in('long'); for ($i = 0; $i < $n; $i += 100) { $x = gzuncompress(gzcompress($s)); } return [$x ?? 0]; };

// Patterns, formats, time, files.
$ops['preg_match'] = function ($n) { $s = in('date'); for ($i = 0; $i < $n; $i++) { $x = preg_match('/^(\d+)-(\d+)-(\d+)/', $s, $m); } return [$x ?? 0]; };
$ops['preg_match, named groups'] = function ($n) { $s = in('date'); for ($i = 0; $i < $n; $i++) { $x = preg_match('/(?<y>\d{4})-(?<m>\d\d)/', $s, $m); } return [$x ?? 0]; };
$ops['preg_match of nothing'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = preg_match('/[<>]/', $s); } return [$x ?? 0]; };
$ops['preg_match, utf-8'] = function ($n) { $s = in('utf8'); for ($i = 0; $i < $n; $i++) { $x = preg_match('/\p{Lu}\w+/u', $s); } return [$x ?? 0]; };
$ops['preg_match_all'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = preg_match_all('/\w+/', $s, $m); } return [$x ?? 0]; };
$ops['preg_replace'] = function ($n) { $s = in('spaced'); for ($i = 0; $i < $n; $i++) { $x = preg_replace('/\s+/', ' ', $s); } return [$x ?? 0]; };
$ops['preg_replace of nothing'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = preg_replace('/[^\w ]/', '', $s); } return [$x ?? 0]; };
$ops['preg_replace_callback'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = preg_replace_callback('/[A-Z]/', fn($m) => strtolower($m[0]), $s); } return [$x ?? 0]; };
$ops['preg_split'] = function ($n) { $s = in('text'); for ($i = 0; $i < $n; $i++) { $x = preg_split('/\s+/', $s); } return [$x ?? 0]; };
$ops['preg_quote, preg_grep'] = function ($n) { $s = in('url'); $a = in('list'); for ($i = 0; $i < $n; $i++) { $x = preg_quote($s, '/'); $y = preg_grep('/^t/', $a); } return [$a ?? 0, $x ?? 0, $y ?? 0]; };
$ops['serialize'] = function ($n) { $a = in('mixed'); for ($i = 0; $i < $n; $i++) { $x = serialize($a); } return [$a ?? 0, $x ?? 0]; };
$ops['unserialize'] = function ($n) { $s = serialize(in('mixed')); for ($i = 0; $i < $n; $i++) { $x = unserialize($s); } return [$x ?? 0]; };
$ops['serialize an object'] = function ($n) { $o = new Wide; for ($i = 0; $i < $n; $i++) { $x = unserialize(serialize($o)); } return [$x ?? 0]; };
$ops['json_encode'] = function ($n) { $a = in('mixed'); for ($i = 0; $i < $n; $i++) { $x = json_encode($a); } return [$a ?? 0, $x ?? 0]; };
$ops['json_decode'] = function ($n) { $s = in('json'); for ($i = 0; $i < $n; $i++) { $x = json_decode($s, true); } return [$x ?? 0]; };
$ops['json_decode to objects'] = function ($n) { $s = in('json'); for ($i = 0; $i < $n; $i++) { $x = json_decode($s); } return [$x ?? 0]; };
$ops['JsonSerializable'] = function ($n) { $o = new Point; for ($i = 0; $i < $n; $i++) { $x = json_encode($o); } return [$x ?? 0]; };
$ops['var_export, print_r'] = function ($n) { $a = in('mixed'); for ($i = 0; $i < $n; $i++) { $x = var_export($a, true); $y = print_r($a, true); } return [$a ?? 0, $x ?? 0, $y ?? 0]; };
$ops['echo into a buffer'] = function ($n) { for ($i = 0; $i < $n; $i++) { ob_start(); echo 'abc', $i; $x = ob_get_clean(); } return [$x ?? 0]; };
$ops['echo of strings'] = function ($n) { $s = in('text'); ob_start(); for ($i = 0; $i < $n; $i++) { echo $s, "\n"; if (!($i & 1023)) { ob_clean(); } } ob_end_clean(); };
$ops['date'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = date('Y-m-d H:i:s', 1700000000 + $i); } return [$x ?? 0]; };
$ops['time, microtime, hrtime'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = time(); $y = microtime(true); $z = hrtime(true); } return [$x ?? 0, $y ?? 0, $z ?? 0]; };
$ops['strtotime, mktime'] = function ($n) { $s = in('date'); for ($i = 0; $i < $n; $i += 4) { $x = strtotime($s); $y = mktime(12, 0, 0, 1, 2, 2024); } return [$x ?? 0, $y ?? 0]; };
$ops['DateTime, format'] = function ($n) { $s = in('date'); for ($i = 0; $i < $n; $i += 4) { $x = (new DateTime($s))->format('D, d M Y'); } return [$x ?? 0]; };
$ops['DateTimeImmutable, modify, diff'] = function ($n) { $d = new DateTimeImmutable(in('date')); for ($i = 0; $i < $n; $i += 4) { $x = $d->modify('+1 week')->diff($d)->days; } return [$d ?? 0, $x ?? 0]; };
$ops['dirname, basename, pathinfo'] = function ($n) { $s = in('path'); for ($i = 0; $i < $n; $i++) { $x = dirname($s); $y = basename($s); $z = pathinfo($s, PATHINFO_EXTENSION); } return [$x ?? 0, $y ?? 0, $z ?? 0]; };
$ops['file_exists, is_file, is_dir'] = function ($n) { for ($i = 0; $i < $n; $i += 4) { $x = file_exists(__FILE__); $y = is_file(__FILE__); $z = is_dir(__DIR__); } return [$x ?? 0, $y ?? 0, $z ?? 0]; };
$ops['filemtime, filesize, realpath'] = function ($n) { for ($i = 0; $i < $n; $i += 4) { $x = filemtime(__FILE__); $y = filesize(__FILE__); $z = realpath(__FILE__); } return [$x ?? 0, $y ?? 0, $z ?? 0]; };
$ops['file_get_contents'] = function ($n) { for ($i = 0; $i < $n; $i += 40) { $x = file_get_contents(__DIR__ . '/included.inc'); } return [$x ?? 0]; };
$ops['include'] = function ($n) { for ($i = 0; $i < $n; $i += 20) { $x = include __DIR__ . '/included.inc'; } return [$x ?? 0]; };
$ops['include_once of what is there'] = function ($n) { for ($i = 0; $i < $n; $i += 4) { $x = include_once __DIR__ . '/included.inc'; } return [$x ?? 0]; };
$ops['defined, constant'] = function ($n) { $c = in('constant'); for ($i = 0; $i < $n; $i++) { $x = defined('NOT_THERE'); $y = constant($c); } return [$c ?? 0, $x ?? 0, $y ?? 0]; };
$ops['ini_get, getenv'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = ini_get('memory_limit'); $y = getenv('PATH'); } return [$x ?? 0, $y ?? 0]; };
$ops['extension_loaded, error_get_last'] = function ($n) { for ($i = 0; $i < $n; $i++) { $x = extension_loaded('mbstring'); $y = error_get_last(); } return [$x ?? 0, $y ?? 0]; };
$ops['filter_var'] = function ($n) { $s = in('number'); for ($i = 0; $i < $n; $i++) { $x = filter_var($s, FILTER_VALIDATE_INT); $y = filter_var('a@example.org', FILTER_VALIDATE_EMAIL); } return [$x ?? 0, $y ?? 0]; };
$ops['set_error_handler'] = function ($n) { $f = fn() => true; for ($i = 0; $i < $n; $i++) { set_error_handler($f); restore_error_handler(); } };
$ops['warning that is handled'] = function ($n) { set_error_handler(fn() => true); $a = []; for ($i = 0; $i < $n; $i++) { $x = $a['absent']; } restore_error_handler(); return [$a ?? 0, $x ?? 0]; };
$ops['php://memory'] = function ($n) { for ($i = 0; $i < $n; $i += 4) { $f = fopen('php://memory', 'r+'); fwrite($f, 'some line'); rewind($f); $x = fgets($f); fclose($f); } return [$x ?? 0]; };
$ops['fputcsv, str_getcsv'] = function ($n) { $s = in('csv'); for ($i = 0; $i < $n; $i++) { $x = str_getcsv($s, ',', '"', ''); } return [$x ?? 0]; };

[, $filter, $ms, $rounds] = $argv + [1 => '', 2 => '20', 3 => '3'];
foreach ($ops as $name => $op) {
    if ($filter !== '' && !str_contains($name, $filter)) {
        continue;
    }
    // How many are about as long as a round shall be.
    $n = 2_000;
    do {
        $n *= 2;
        $start = hrtime(true);
        $op($n);
        $ns = hrtime(true) - $start;
    } while ($ns < (int)$ms * 400_000 && $n < 100_000_000);
    $n = max(1_000, (int)($n * (int)$ms * 1e6 / max($ns, 1)));
    $best = INF;
    for ($i = 0; $i < (int)$rounds; $i++) {
        $start = hrtime(true);
        $op($n);
        $best = min($best, (hrtime(true) - $start) / $n);
    }
    echo $name, "\t", round($best, 2), "\n";
}
