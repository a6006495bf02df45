<?php
// == and <=> of objects whose properties call user code or are changed by a handler.
set_error_handler(function ($n, $m) { echo "[$m] "; global $a, $b; $a->x = 'changed'; unset($b->y); return true; });
class P { public $x; public $y; public $z; function __construct(...$v) { [$this->x, $this->y, $this->z] = $v + [null, null, null]; } }
class Str { function __toString(): string { global $a, $b; echo '(str) '; $a->y = 'mutated'; $b->z = 'mutated too'; return 's'; } } $a = new P(1, new Str, 'z'); $b = new P(1, 's', 'z');
var_dump($a == $b);
$a = new P(new P(1)); $b = new P(5);
var_dump($a == $b); 
$a = new P(new stdClass, 2); $b = new P(1, 2);
var_dump($a == $b, $a <=> $b, $a); $l1 = [new Str, 2]; $l2 = ['s', 2]; 
$a = new P; $b = new P; var_dump($l1 == $l2, $l1 === $l2, [new stdClass] == [1]);
var_dump(new stdClass == 1, new stdClass == 'str', new P(1) == new P(1), in_array(1, [new stdClass]), 1 <=> new stdClass, new stdClass > 0, (new stdClass) == 1.5); switch (new stdClass) { case 1: echo "one\n"; break; default: echo "default\n"; }
class Gm { public $v; function __construct($v) { $this->v = $v; } } $x = new Gm(null); $y = new Gm(null); $x->v = $y; $y->v = $x; try { var_dump($x == $y); } catch (Error $e) { echo $e->getMessage(), "\n";
} $arr1 = [1]; $arr1[] = &$arr1; $arr2 = [1]; $arr2[] = &$arr2; try { var_dump($arr1 == $arr2); } catch (Error $e) { echo $e->getMessage(), "\n";
} var_dump(max(new P(1), new P(2))->x, min([new P(3), new P(2)])->x, [new P(1)] <=> [new P(2)]); usort_objs(); function usort_objs() { $o = [new P(3), new P(1), new P(2)]; sort($o); echo implode(',', array_map(fn($p) => $p->x, $o)), "\n";
}
