<?php
class H { public $p0 { get { echo "get p0\n"; return $this->p0 ?? 1; } } public $v { get { echo "get v\n"; return 5; } } public $w { set { echo "set\n"; } } public $b = 3 { get { echo "get b\n"; return $this->b; } } public $s = 1; private $pr = 2; public int $un; public int $u3 { set => $value + 1; } public $u2 = 7 { set => $value + 1; } public $n = null; public $hn { get { echo "get hn\n"; return null; } }
 function __isset($n) { echo "isset $n\n"; return true; } function __get($n) { echo "get $n\n"; return 1; }
 }
class H2 { public $p0 { get { echo "get p0\n"; return $this->p0 ?? 1; } } public $v { get { echo "get v\n"; return 5; } } public $w { set { echo "set\n"; } } public $b = 3 { get { echo "get b\n"; return $this->b; } } public $s = 1; private $pr = 2; public int $un; public int $u3 { set => $value + 1; } public $u2 = 7 { set => $value + 1; } public $n = null; public $hn { get { echo "get hn\n"; return null; } }  }
foreach (['H', 'H2'] as $c)
foreach (['p0', 'v', 'w', 'b', 's', 'pr', 'un', 'u3', 'u2', 'n', 'hn', 'zz'] as $n) { echo "-- $c $n\n"; $h = new $c;
 try { var_dump(array_column([$h], $n)); } catch (Error $e) { echo $e->getMessage(), "\n"; } }
