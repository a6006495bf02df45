<?php
#[AllowDynamicProperties] class C0 { public $p0 = []; public $q = 1; function __invoke(&$x, $k) { echo "inv $k\n"; $this->p1 = 3; if ($k == 'q') unset($this->p0); $x = 5; } }
$a = new C0; array_walk($a, $a); var_dump($a);
$o = (object) ['a' => 1, 'b' => 2]; array_walk($o, function (&$v, $k) use ($o) { echo $k, "\n"; $o->c = 1; unset($o->b); $v = 7; }); echo json_encode($o), "\n";
$r = [1, 2, 3]; array_walk($r, function (&$v, $k) use (&$r) { echo $k, "\n"; if ($k == 0) { $r[] = 4; } $v++; }); var_dump($r);
$r = [1, 2, 3]; array_walk($r, function (&$v, $k) use (&$r) { echo $k, "\n"; unset($r[1]); $v++; }); var_dump($r);
