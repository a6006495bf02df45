<?php
$g = new ArrayObject([1, 2, 'k' => 3]); $a = &$g[0]; $g[0] = 5; var_dump($a); $b = &$g['k']; $g['k'] = 5; var_dump($b); 
$g->offsetSet(0, 8); var_dump($a); $g->offsetSet('k', 8); var_dump($b);
$x = [1, 'k' => 2]; $r = &$x[0]; $r2 = &$x['k']; $g = new ArrayObject($x); $g[0] = 9; $g['k'] = 9; var_dump($x, $r, $r2);
class T { public $p = 1;  }
$t = new T; $r = &$t->p; $g = new ArrayObject($t); $g['p'] = 9; var_dump($r, $t);
$t->dyn = 4; $r = &$t->dyn; $g['dyn'] = 10; var_dump($r);
$g = new ArrayObject([1, 2, 'k' => 3], 2); $b = &$g->k; $g->k = 5; var_dump($b); 
$w = new WeakMap; $o = new stdClass; $w[$o] = 1; $r = &$w[$o]; $w[$o] = 4; var_dump($r);
foreach ($g as &$v) { $v .= 'a'; } var_dump($g); 
$o = new stdClass; $w = new WeakMap; $x = 5; try { $w[$o] = &$x; } catch (Error $e) { echo $e->getMessage(), "\n"; } $x = 6; var_dump($w);
$w[$o] = 1; try { $w[$o] = &$x; } catch (Error $e) { echo $e->getMessage(), "\n"; } $x = 7; var_dump($w);
$w[$o] = 9; var_dump($x);
$s = new SplObjectStorage; $s[$o] = 1; try { $s[$o] = &$x; } catch (Error $e) { echo $e->getMessage(), "\n"; } 
$d = new SplFixedArray(2); try { $d[0] = &$x; } catch (Error $e) { echo $e->getMessage(), "\n"; } 
$g = new ArrayObject([1, 2]); $g[0] = &$x; var_dump($x); $g[0] = 77; var_dump($x); unset($g[0]); var_dump($x);
