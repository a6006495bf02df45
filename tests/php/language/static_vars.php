<?php
// Static variables: per function, per method and class, initialisers evaluated once.
function a() { static $n = 0; static $arr = ['x' => 1 + 2]; $n++; $arr[] = $n; return count($arr) . $n; }
echo a(), a(), a(), "\n";
class P { function m() { static $c = 0; return static::class . ++$c; } static function s() { static $d = 0; return ++$d; } }
class Q extends P {}
class R extends P { function m() { return parent::m() . '!'; } }
echo (new P)->m(), (new Q)->m(), (new Q)->m(), (new P)->m(), (new R)->m(), "\n";
echo P::s(), Q::s(), P::s(), R::s(), "\n";
function init($v) { static $x = strlen('12345') + 1; static $y; $y ??= $v; return [$x, $y]; }
echo json_encode([init(1), init(2)]), "\n";
function lazy() { echo 'init '; return 5; }
function usesLazy() { static $v = lazy(); return $v++; }
echo usesLazy(), usesLazy(), usesLazy(), "\n";
function cond($b) { if ($b) { static $z = 10; } $z ??= 'unset'; if ($b) $z++; return $z; }
echo cond(false), cond(true), cond(true), cond(false), "\n";
function refst() { static $r; if (!isset($r)) { $obj = new stdClass; $r = &$obj; return 'set'; } return 'kept'; }
echo refst(), refst(), "\n";
function gen() { static $calls = 0; $calls++; yield $calls; yield $calls * 10; }
foreach ([gen(), gen()] as $g) foreach ($g as $v) echo $v, ' '; echo "\n";
function rec($n) { static $depth = 0; static $max = 0; $depth++; $max = max($max, $depth); if ($n) rec($n - 1); $depth--; return "$depth/$max"; }
echo rec(4), ' ', rec(2), "\n";
function un() { static $u = 1; $u++; $before = $u; unset($u); $u = 100; return $before; }
echo un(), un(), un(), "\n";
trait T { function cnt() { static $c = 0; return ++$c; } static $shared = 0; }
class T1 { use T; } class T2 { use T; } T1::$shared++;
echo (new T1)->cnt(), (new T1)->cnt(), (new T2)->cnt(), T1::$shared, T2::$shared, "\n";
class Memo { static function get($k) { static $cache = []; return $cache[$k] ??= (print "compute($k) ") . $k; } }
echo Memo::get('a'), Memo::get('a'), Memo::get('b'), "\n";
static $top = 7; echo $top, "\n";
function exc() { static $t = throw new Exception('in init'); } try { exc(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
try { exc(); } catch (Exception $e) { echo $e->getMessage(), " again\n"; }
function inclosure() { static $f = null; $f ??= function () { static $i = 0; return ++$i; }; return $f(); } echo inclosure(), inclosure(), "\n";
var_dump((new ReflectionFunction('a'))->getStaticVariables());
