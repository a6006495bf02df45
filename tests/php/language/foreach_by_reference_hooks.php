<?php
class C0 { public $p1 = null { set { echo "set p1\n"; $this->p1 = $value; } } }
class C1 { public $p1 = 5 { get => $this->p1; } }
class C2 { public $p1 { get => 5; } public $a = 1; }
class C3 { public $p1 { &get { static $x = 5; return $x; } } public $a = 1; }
class C4 { public $p1 { set { } } public $a = 1; }
class C5 { public $p1 { get => new stdClass; } public $a = 1; }
class E0 extends C0 { } class E1 extends C1 { } class E2 extends C2 { }
foreach (['E0', 'E1', 'E2', 'C0', 'C1', 'C2', 'C3', 'C4', 'C5'] as $c) {
 try { $o = new $c; foreach ($o as $k => &$v) { echo $k, ' '; var_dump($v); $v = 9; } unset($v); } catch (Error $e) { echo get_class($e), ' ', $e->getMessage(), "\n"; }
 try { foreach (new $c as $k => $v) { echo $k, ' '; var_dump($v); } } catch (Error $e) { echo get_class($e), ' ', $e->getMessage(), "\n"; }
}
