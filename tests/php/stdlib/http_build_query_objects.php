<?php
function t($f) { try { var_dump($f()); } catch (Throwable $e) { do echo get_class($e), ': ', $e->getMessage(), "\n"; while ($e = $e->getPrevious()); } }
t(function () { $c = [1]; $f = function (&$y) {}; $f($c[0]); return array_map(null, $c, []); });
t(function () { $c = [1]; $r = &$c[0]; return array_map(null, $c, []); });
t(function () { $c = [1]; $r = &$c[0]; return array_map(null, $c); });
t(function () { $c = [1]; $r = &$c[0]; return array_map(fn($x, $y) => $x, $c, []); });
class H { public $p0 { get { echo "get p0\n"; return $this->p0 ?? 1; } } public $v { get => 5; } public $b = 3 { get { echo "get b\n"; return $this->b; } } public $s = 1; }
t(function () { return http_build_query(new H); });
t(function () { $h = new H; return http_build_query(['a' => $h]); });
class Q { public $p0 { get { echo "get p0\n"; return $this->p0 ?? 1; } } public $v { get => 5; } public $w { set { echo "set\n"; } } public $b = 3 { get { echo "get b\n"; return $this->b; } } public $s = 1; private $pr = 2; protected $po = 3; public int $un; public $u2 = 7 { set => $value + 1; }
 function q() { return http_build_query($this); } }
$h = new Q; $h->dyn = 5; 
echo http_build_query($h), "\n", $h->q(), "\n";
class M { public $a = 1; protected $b = 2; private $c = 3; function q() { return http_build_query($this); } }
class M2 extends M { public $d = 4; private $c = 9; function q2() { return http_build_query($this); } }
$m = new M2; echo http_build_query($m), "|", $m->q(), "|", $m->q2(), "\n";
unset($m->a); echo http_build_query($m), "\n";
$x = 5; $m->a = &$x; echo http_build_query($m), "\n";
echo http_build_query(new ArrayObject([1, 2, 'a' => 'b'])), "\n";
class AO extends ArrayObject { public $z = 1; }
echo http_build_query(new AO([1, 2, 'a' => 'b'])), "\n";
echo http_build_query(new SplFixedArray(2)), "\n";
echo http_build_query(new DateTime('2020-01-01')), "\n";
echo http_build_query(new DateInterval('P1D')), "\n";
echo http_build_query(new Exception('x')), "\n";
echo http_build_query((object)['0' => 'x', 'y' => ['a' => 1, (object)['q' => 2]]]), "\n";
echo http_build_query((object)[5 => 'x', 'y' => 1], 'pre'), "\n";
class L { public $a = 1; public $b; }
$l = (new ReflectionClass('L'))->newLazyGhost(function ($o) { echo "init\n"; $o->b = 2; });
echo http_build_query($l), "\n";
$l = (new ReflectionClass('L'))->newLazyProxy(function ($o) { echo "init\n"; $r = new L; $r->b = 7; return $r; });
echo http_build_query($l), "\n";
