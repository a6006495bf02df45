<?php
// What serialize() remembers: not an object that only an array has which is written once, unless its class says what is written.
$o = new stdClass; $a = [&$o, &$o]; echo serialize($a), "\n"; unset($o); echo serialize($a), "\n";
$a = [1]; $r = &$a[0]; unset($r); echo serialize([$a, $a]), "\n"; echo serialize($a), "\n";
$b = [new stdClass, &$b]; echo serialize($b), "\n";
$c = [new ArrayObject, &$c]; echo serialize($c), "\n";
$d = [[new stdClass], &$d]; echo serialize($d), "\n";
class P { public $x; }
$e = [new P, &$e]; $e[0]->x = new P; echo serialize($e), "\n";
$f = [new stdClass, &$f]; $f[0]->x = new P; echo serialize($f), "\n";
class Q { private $o; private $a; public function __construct() { $this->o = new stdClass; $this->a = [$this->o, [new P]]; } public function __sleep() { return ['o', 'a']; } }
$g = [new Q, &$g]; echo serialize($g), "\n";
class R { public $o; public function __serialize(): array { return [new stdClass, $x = new stdClass, $x]; } }
$h = [new R, &$h]; echo serialize($h), "\n";
$o = new P; $o->x = &$o; echo serialize($o), "\n";
$o = new P; $o->x = [&$o]; echo serialize($o), "\n"; echo serialize([$o, [$o]]), "\n";
$i = []; $i['me'] = &$i; $i['o'] = new P; $i['p'] = &$i['o']; echo serialize($i), "\n";
$j = [[1, 2], 'x' => new stdClass]; $j['x']->j = $j; echo serialize($j), "\n"; $j['x'] = null;
$k = [new P, [new P]]; echo serialize([$k, $k, $k[1], $k[1][0]]), "\n";
