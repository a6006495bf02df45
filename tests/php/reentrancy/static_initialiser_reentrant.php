<?php
// Static variables and constants whose initialisers call back into themselves.
function fact($n) { static $depth = 0; $depth++; $r = $n < 2 ? "d$depth" : fact($n - 1); $depth--; return $r; } echo fact(5), fact(2), "\n";
function init() { echo '[init]'; static $busy = false; if ($busy) return 'reentered'; $busy = true; $v = user(); $busy = false; return "made($v)"; }
function user() { static $s = init(); return $s; } echo user(), ' ', user(), "\n";
function thrower() { static $tries = 0; if ($tries++ < 2) throw new Exception("try $tries"); return 'ok'; }
function lazy() { static $v = thrower(); return $v; } for ($i = 0; $i < 4; $i++) try { echo lazy(), ' '; } catch (Exception $e) { echo $e->getMessage(), ' '; } echo "\n";
class LA { const LOOP = LB::LOOP; } class LB { const LOOP = LA::LOOP; }
class A { const X = B::Y . 'x'; static $s = [B::Y => self::X]; }
class B { const Y = 'y'; } echo A::X, json_encode(A::$s), "\n";
foreach ([1, 2] as $_) try { echo LA::LOOP; } catch (Error $e) { echo $e->getMessage(), "\n";
}
spl_autoload_register(function ($c) { echo "<$c>"; if ($c === 'Late') { try { echo defined('Early::C') ? 'early visible ' : 'no '; } catch (Error $e) { echo '[', $e->getMessage(), '] '; } try { echo Early::C; } catch (Error $e) { echo '{', $e->getMessage(), '} '; } eval('class Late { const V = "late"; }'); } }); class Early { const C = 'c' . Late::V; public $p = self::C; static $st = Late::V . '!'; } echo (new Early)->p, Early::$st, "\n";
enum E: string { const PREFIX = 'p'; case A = self::PREFIX . 'a'; case B = F::VAL; const DEF = self::A; }
class F { const VAL = 'fb'; const CASE = E::B; } echo E::B->value, F::CASE->name, E::DEF->value, E::from('pa')->name, "\n";
class P { public $a = [self::K => Q::M]; const K = Q::N; }
class Q extends P { const M = 'm'; const N = 'n'; } echo json_encode(new P), json_encode(new Q), "\n";
function dflt($x = P::K . R2::Z) { return $x; } try { dflt(); } catch (Error $e) { echo $e->getMessage(), "\n";
} eval('class R2 { const Z = "zed"; }'); echo dflt(), "\n";
