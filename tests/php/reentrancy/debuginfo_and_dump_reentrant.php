<?php
// __debugInfo that changes what is being printed; dumping while dumping.
class D { public $p = 1; public $arr = [1]; function __debugInfo() { global $d, $list; $this->p = 'changed'; $list[] = 'grown'; ob_start(); $in = ob_get_clean(); return ['p' => $this->p, 'n' => count($list)]; } }
$d = new D; $list = [$d, 'x']; var_dump($list); print_r($list); var_dump($d); class R { function __debugInfo() { return ['self' => $this, 'dump' => strlen(print_r(new D, true))]; } } var_dump(new R); print_r(new R); echo "\n";
class Nul { public $x = 1; function __debugInfo() { return []; } } var_dump(new Nul); class Un { function __debugInfo() { global $un; $un = null; return ['gone' => get_class($this)]; }
function __destruct() { echo "~Un\n"; } } $un = new Un; var_dump($un); $un = new Un; print_r($un); echo "\n";
class Prop { public $a = 1; public $b = 2; function __get($n) { return "magic $n"; } } $p = new Prop; unset($p->a); var_dump($p); foreach ($p as $k => $v) echo "$k=$v\n"; class It implements IteratorAggregate { public $x = 1; function getIterator(): Iterator { var_dump($this); return new ArrayIterator([1]); } } foreach (new It as $v) echo $v, "\n";
class Exp { public $v = [1]; static function __set_state($a) { global $ex; $ex = $a; return new self; } } eval('$y = ' . var_export(new Exp, true) . ';'); echo json_encode($ex), "\n";
