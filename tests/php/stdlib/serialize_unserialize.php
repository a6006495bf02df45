<?php
// Round trips, formats, references, options.
require __DIR__ . '/inc/show.php';
class A { public $p = 1; protected $q = [2]; private $r = null; public ?A $next = null; } class B extends A { private $r = 'own'; public $extra = 1.5; } enum E: int { case One = 1; case Two = 2; }
foreach ([1, -1, 0, PHP_INT_MAX, PHP_INT_MIN, 1.5, 0.1, 1e50, -0.0, INF, NAN, true, false, null, '', "é\0", 'quote"', [], [1, 2], ['a' => ['b' => ['c' => null]]], new stdClass, new A, new B, E::One, [E::One, E::One], new ArrayObject(['x' => 1]), new ArrayIterator([1]), new SplObjectStorage, new SplStack, new DateTime('2020-01-02 03:04:05 UTC'), new DateInterval('P1DT2H'), new SplFixedArray(2)] as $x) { $s = serialize($x); echo str_replace("\0", '~', $s), "\n"; $y = unserialize($s); echo $y == $x || (is_float($x) && is_nan($x)) ? 'ok' : 'differs', ' ', serialize($y) === $s ? 'same' : 'other', "\n"; }
$a = new A; $a->next = $a; $s = serialize($a); $u = unserialize($s);
show('cycle', $u->next === $u); $arr = [1]; $arr['r'] = &$arr[0]; $u = unserialize(serialize($arr)); $u[0] = 'x';
show('reference', $u['r']); $o = new stdClass; $u = unserialize(serialize([$o, $o]));
show('same object', $u[0] === $u[1]); class Sl { public $a = 1; private $b = 2; public $c = 3; function __sleep() { return ['a', 'b']; } function __wakeup() { $this->c = 'woken'; } } $s = serialize(new Sl); echo str_replace("\0", '~', $s), "\n"; print_r(unserialize($s)); class Ms { private $d; function __construct($d = null) { $this->d = $d; } function __serialize(): array { return ['d' => $this->d, 7 => 'seven']; } function __unserialize(array $x): void { $this->d = $x; } } print_r(unserialize(serialize(new Ms([1]))));
each('unserialize', ['i:5;'], ['x'], ['b:0;'], ['O:1:"A":0:{}', ['allowed_classes' => false]], ['O:1:"A":0:{}', ['allowed_classes' => ['a']]], ['s:1:"é";'], ['a:1:{i:0;N;}']);
show('incomplete', (array) unserialize('O:7:"Missing":1:{s:1:"x";i:1;}')); $inc = unserialize('O:7:"Missing":1:{s:1:"x";i:1;}'); echo $inc->x, "\n";
show('reserialized', serialize($inc)); foreach (['__PHP_Incomplete_Class'] as $c) show('class', get_class($inc));
try { serialize(fn() => 1); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
try { serialize([1, [new class {}]]); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
try { unserialize('O:7:"Closure":0:{}'); } catch (Throwable $e) { echo $e->getMessage(), "\n"; }
try { unserialize('O:1:"E":0:{}'); } catch (Throwable $e) { echo $e->getMessage(), "\n"; } show('int keys', unserialize('a:2:{s:1:"5";i:1;i:5;i:2;}')); class Typed { public int $i = 1; public ?string $s = null; }
try { unserialize('O:5:"Typed":1:{s:1:"i";s:1:"x";}'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; } show('typed ok', unserialize('O:5:"Typed":1:{s:1:"i";i:7;}'));
show('visibility', unserialize("O:1:\"A\":1:{s:4:\"\0*\0q\";i:9;}"));
