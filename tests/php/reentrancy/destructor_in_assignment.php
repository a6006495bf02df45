<?php
// Destructors that run in the middle of an assignment and touch the same variable.
class D { public $f; function __construct($f) { $this->f = $f; } function __destruct() { ($this->f)(); } }
$x = new D(function () { global $x; echo 'in destructor: '; var_dump($x); $x = 'from destructor'; }); $x = 'assigned'; var_dump($x);
$a = ['k' => new D(function () { global $a; echo json_encode($a), ' '; $a['k'] = 'dtor'; $a['n'] = 'new'; })]; $a['k'] = 'plain'; echo json_encode($a), "\n";
$a = [new D(function () { global $a; unset($a); })]; $a[0] = 'v'; var_dump(isset($a));
$a = [new D(function () { global $a; $a = 'whole'; })]; unset($a[0]); var_dump($a);
$a = ['x' => new D(function () { global $a; for ($i = 0; $i < 50; $i++) $a[] = $i; }), 'y' => 1]; $a['x'] = 'after'; var_dump(count($a), $a['x']);
$o = new stdClass; $o->p = new D(function () { global $o; echo json_encode($o), ' '; unset($o->p); }); $o->p = 'new'; echo json_encode($o), "\n";
$o = new stdClass; $o->p = new D(function () { global $o; $o = null; }); $o->p = 5; var_dump($o);
$x = new D(function () { throw new Exception('thrown'); }); try { $x = 'val'; echo 'never '; } catch (Exception $e) { echo $e->getMessage(), ' '; } var_dump($x);
$a = [new D(function () { throw new Exception('thrown2'); }), 2]; try { $a[0] = 'val'; } catch (Exception $e) { echo $e->getMessage(), ' '; } echo json_encode($a), "\n";
$x = new D(function () { global $x; $x = new D(function () { echo 'second '; }); }); $x = 1; echo is_object($x) ? get_class($x) : $x, "\n";
class S { static $v; } S::$v = new D(function () { S::$v = 'dtor'; }); S::$v = 'assigned'; var_dump(S::$v);
function f() { static $s; $s = new D(function () { echo 'static replaced '; f2(); }); return 1; } function f2() { echo 'f2 '; } f(); f(); echo "\n"; $r = new D(function () { global $r, $rr; $rr = 'rr'; }); $rr = &$r; $r = 'new'; var_dump($r, $rr); [$p, $q] = [new D(function () { global $q; $q = 'set by dtor of p'; }), 2]; [$p, $q] = [1, 3]; var_dump($p, $q); $l = [new D(function () { echo 'popped '; })]; array_pop($l); $l = [new D(function () { echo 'shifted '; })]; array_shift($l); $l = [new D(function () { echo 'spliced '; }), 2]; array_splice($l, 0, 1); echo count($l), "\n";
