<?php
function f() {
    $a = [1, 2, 3]; var_dump(array_push($a, 4), array_pop($a), array_shift($a), $a);
    $e = []; var_dump(array_pop($e), array_shift($e), array_push($e, 'x'), $e);
    $m = ['x' => 1, 5 => 2]; var_dump(array_keys($m), array_values($m), array_push($m, 3), array_shift($m), $m, array_pop($m), $m);
    $b = $m; array_pop($b); var_dump($m, $b);
    $r = 1; $q = [&$r, 2]; var_dump(array_shift($q), $q); $w = [7]; $z = &$w; array_push($z, 8); var_dump($w);
    $i = [PHP_INT_MAX => 1]; try { array_push($i, 2); } catch (Error $e) { echo $e->getMessage(), "\n"; }
    $n = null; try { array_push($n, 1); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
    try { array_pop($n); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
    $o = [new class { function __destruct() { echo "gone\n"; } }]; array_pop($o); echo "after\n";
    $big = range(1, 1000); array_pop($big); array_shift($big); var_dump(count($big), $big[0]);
    $d = [1, 2, 3]; end($d); array_pop($d); var_dump(key($d)); array_push($d, 9); var_dump(current($d), next($d));
    $p = [1, 2, 3]; unset($p[1]); var_dump(array_values($p), array_keys($p)); array_pop($p); $p[] = 'n'; var_dump($p);
    $self = [1]; array_push($self, $self); var_dump($self);
    var_dump(function_exists('f'), function_exists('STRLEN'), function_exists('\\strlen'), function_exists('nope'), defined('PHP_VERSION'), defined('\\PHP_VERSION'), defined('E_ALL'), defined('true'), defined('NOPE'), defined('A::B'));
}
f();
class A { const B = 1; private array $typed = [1]; function t() { array_push($this->typed, 2); $r = &$this->typed; array_pop($r); var_dump($this->typed); } }
(new A)->t(); var_dump(defined('A::B'), defined('A::C'));
foreach ([[1, 2, 3]] as $list) { foreach ($list as $k => &$v) { if ($k == 0) array_push($list, 4); echo $v, ' '; } echo "\n"; }
