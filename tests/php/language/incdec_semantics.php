<?php
// ++ and -- on every type.
foreach ([null, true, false, 5, 1.5, '5', '1.5', 'abc', 'az', 'Az', 'zZ9', 'zz', 'Zz', 'a9', 'Z', '', ' ', '5 apples', '1e2', '-5', '9223372036854775807', '-9223372036854775808', PHP_INT_MAX, PHP_INT_MIN, INF, '0x1', 'a-b', 'é', '9z9', ' 5', '5 '] as $v) {
    $i = $d = $v; echo var_export($v, true), ' ++ '; try { $i++; echo var_export($i, true); } catch (TypeError $e) { echo $e->getMessage(); } echo ' -- '; try { $d--; echo var_export($d, true); } catch (TypeError $e) { echo $e->getMessage(); } echo "\n";
}
foreach ([[], [1], new stdClass, fopen('php://memory', 'r'), fn() => 1] as $v) foreach (['++', '--'] as $op) { $i = $v; try { eval("\$i$op;"); } catch (TypeError $e) { echo $e->getMessage(), "\n"; } }
$a = ['x' => 1]; $a['x']++; $a['y']++; $a['z'] ??= 5; $a['z']--; var_dump($a); $o = new stdClass; $o->p = 'z'; $o->p++; $o->q++; --$o->q; var_dump($o);
$i = 5; echo $i++ + ++$i, ' ', $i-- - --$i, ' ', $i, "\n"; $n = null; $n--; var_dump($n); $n++; var_dump($n); $n--; var_dump($n);
class S { static $c = 0; public int $t = PHP_INT_MAX; public ?int $n = null; public int|float $u = PHP_INT_MAX; public string $s = 'a'; } S::$c++; ++S::$c; echo S::$c, "\n"; $s = new S; try { $s->t++; } catch (TypeError $e) { echo $e->getMessage(), "\n"; } try { $s->n--; $s->n++; } catch (TypeError $e) { echo $e->getMessage(), "\n"; } $s->u++; $s->s++; var_dump($s);
$r = &$s->t; try { $r++; } catch (TypeError $e) { echo $e->getMessage(), "\n"; } $undef++; var_dump($undef); $u2--; var_dump($u2); $str = 'abc'; try { $str[0]++; } catch (Error $e) { echo $e->getMessage(), "\n"; }
// What __get or a hook has given is written back, also where there was nothing to do or that has failed.
#[AllowDynamicProperties] class Got { function __construct(private mixed $value) {} function __get($name) { return $this->value; } }
foreach ([null, true, [], 'a-', 5] as $value) foreach (['$o->p++', '$o->p--', '++$o->p', '--$o->p'] as $step) { $o = new Got($value); try { var_dump(eval("return $step;")); } catch (TypeError $e) { echo $e->getMessage(), "\n"; } var_dump($o); }
class GotAndSet { function __get($name) { return $name === 'none' ? null : []; } function __set($name, $value) { echo "set $name "; var_dump($value); } } $o = new GotAndSet; $o->none--; --$o->none; try { $o->list++; } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
class Hooked { public ?int $n { get => null; set { echo 'set '; var_dump($value); } } public mixed $list { get => []; set { echo 'set '; var_dump($value); } } } $o = new Hooked; $o->n--; $o->n++; try { $o->list++; } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
