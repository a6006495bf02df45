<?php
// Objects whose last outside reference goes while one of their methods runs.
class O { public $n; public $list = [1, 2, 3]; function __construct($n) { $this->n = $n; }
function drop() { global $o; $o = null; gc_collect_cycles(); return $this->n . count($this->list); }
function dropAndThrow() { global $o; $o = null; throw new Exception($this->n); }
function gen() { global $o; $o = null; foreach ($this->list as $x) yield $x; }
function closure() { return function () { global $o; $o = null; return $this->n; }; } static function st() { global $o; $o = null; return 'static'; }
function __get($p) { global $o; $o = null; return "$p of {$this->n}"; }
function __destruct() { echo "~{$this->n} "; }
function chain() { global $o; $o = null; return $this; }
function self() { return new self($this->n . "'"); } }
$o = new O('a'); echo $o->drop(), "\n";
$o = new O('b'); try { $o->dropAndThrow(); } catch (Exception $e) { echo $e->getMessage(), ' '; unset($e); } echo "\n";
$o = new O('c'); foreach ($o->gen() as $v) echo $v; echo "\n";
$o = new O('d'); $c = $o->closure(); echo $c(), ' '; unset($c); echo "\n";
$o = new O('e'); echo $o::st(), "\n";
$o = new O('f'); echo $o->magic, "\n";
$o = new O('g'); echo $o->chain()->chain()->n, "\n";
echo (new O('h'))->self()->self()->n, "\n";
echo (new O('i'))->list[1], "\n";
foreach ((new O('j'))->list as $v) echo $v; echo "\n";
foreach ((new O('k'))->gen() as $v) { echo $v; break; } echo "\n";
$x = [(new O('l'))->n, (new O('m'))->list]; echo count($x[1]), "\n";
function f(O $p) { global $o; $o = null; return $p->n; } $o = new O('n'); echo f($o), "\n";
function g(O $p) { $p = null; return 'nulled '; } echo g(new O('p')), "\n";
$o = new O('q'); $a = [$o, 'drop']; $o2 = $o; unset($o2); echo $a(), ' '; unset($a); echo "\n";
$o = new O('r'); array_map(function ($x) use (&$o) { $o = null; echo $x; }, $o->list); echo "\n";
$o = new O('s'); echo json_encode(array_map([$o, 'closure'], [1]) ? 1 : 0), ' '; $o = null; echo "\n";
$o = new O('t'); $o->list = $o; $o = null; echo 'cycle '; gc_collect_cycles(); echo "\n";
$o = new O('u'); echo $o->n . ($o = null) . 'after', "\n";
$o = new O('v'); $r = &$o->n; $o = null; echo $r, "\n";
$o = new O('w'); [$p, $o] = [$o->n, null]; echo $p, "\n";
$s = new SplObjectStorage; $s[new O('x')] = 1; foreach ($s as $ob) { $s = null; echo $ob->n, ' '; } unset($ob); echo "\n";
try { (function () { $l = new O('y'); throw new Exception('with trace'); })(); } catch (Exception $e) { echo 'caught '; } unset($e); echo "\n";
try { (function ($arg) { throw new Exception('args'); })(new O('z')); } catch (Exception $e) { echo 'caught '; } unset($e); echo "\n";

