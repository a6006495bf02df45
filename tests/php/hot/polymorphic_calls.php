<?php
// Call sites that see one class, then several, then __call, null and a class declared later.
interface Shape { function area(); } class Sq implements Shape { public $s = 2; function area() { return $this->s ** 2; } } class Ci implements Shape { public $r = 1; function area() { return round(M_PI * $this->r, 2); } } class Sub extends Sq { function area() { return parent::area() + 1; } } class Magic { function __call($n, $a) { return strlen($n); } } class Fin { final function area() { return 10; } }
function total(array $xs) { $t = 0; foreach ($xs as $x) $t += $x->area(); return $t; }
$sq = array_fill(0, 1500, new Sq);
var_dump(total($sq));
var_dump(total([...$sq, new Ci]));
var_dump(total([...$sq, new Sub, new Ci, new Fin, new Magic, new class { function area() { return 0.5; } }]));
try { total([...$sq, null]); } catch (Error $e) { echo $e->getMessage(), "\n"; } try { total([...$sq, new stdClass]); } catch (Error $e) { echo $e->getMessage(), "\n"; } try { total([...$sq, 'str']); } catch (Error $e) { echo $e->getMessage(), "\n"; }
eval('class Late extends Sq { function area() { return 1000; } }');
var_dump(total([...$sq, new Late]));
function prop(array $xs) { $t = 0; foreach ($xs as $x) { $t += $x->v; $x->v = $t & 7; } return $t; } class P1 { public $v = 1; } class P2 { public $a = 0; public $v = 2; } class P3 extends P2 { public $b = 1; } class P4 { private $d = 3; function __get($n) { return $this->d; } function __set($n, $x) { $this->d = 4; } } class P5 { public int $v = 5; } class P6 { public $v = 6 { get => 60; set { $this->v = $value; } } } class P7 { public float $v = 0.5; } $mk = fn() => array_map(fn($i) => new P1, range(1, 500)); foreach ([[], [new P2], [new P3, new P4], [new P5, new P6], [new P7], [(object) ['v' => 9]]] as $tail) var_dump(prop([...$mk(), ...$tail]));
try { prop([...$mk(), new class { private $v = 1; }]); } catch (Error $e) { echo preg_replace('/class@anonymous.*::/s', 'anon::', $e->getMessage()), "\n"; } set_error_handler(function ($n, $m) { echo "<$m> "; return true; });
var_dump(prop([...$mk(), new stdClass])); restore_error_handler();
function call($f, $n) { $s = 0; for ($i = 0; $i < $n; $i++) $s += $f($i); return $s; } function named($x) { return $x & 3; } class St { static $k = 1; static function m($x) { return $x & 1; } function inst($x) { return static::class === 'St' ? 1 : 2; } function __invoke($x) { return 7; } } class St2 extends St {} foreach (['named', 'St::m', ['St', 'm'], [new St, 'inst'], [new St2, 'inst'], new St, fn($x) => $x % 2, function ($x) use (&$cnt) { return ++$cnt & 1; }, 'abs', 'intval', strlen(...), named(...), (new St)->inst(...)] as $f) echo call($f, 1200), ' '; echo "\n";
function stat_(string $c, int $n) { $s = 0; for ($i = 0; $i < $n; $i++) { $s += $c::m($i) + $c::$k; $c::$k = $i & 3; } return $s; } echo stat_('St', 1000), ' ', stat_('St2', 1000), ' ', St::$k, "\n";
function mk($c, $n) { for ($i = 0; $i < $n; $i++) $o = new $c; return get_class($o); } echo mk('St', 800), mk('St2', 800), mk('ArrayObject', 100), "\n";
function inst($xs) { $c = 0; foreach ($xs as $x) $c += $x instanceof Shape ? 1 : ($x instanceof Closure ? 10 : ($x instanceof Nope ? 100 : 0)); return $c; } echo inst([...$sq, new Ci, fn() => 1, null, 5, new Magic]), "\n";
