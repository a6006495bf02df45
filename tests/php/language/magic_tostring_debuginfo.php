<?php
// __toString, __debugInfo, __set_state, __serialize, __sleep.
class S { function __construct(public $v = 'v') {} function __toString(): string { return "S<{$this->v}>"; } }
$s = new S(1); echo $s, ' ', "$s", ' ', $s . 'x', ' ', strlen($s), ' ', str_replace('S', 'T', $s), ' ', in_array('S<1>', [$s]) ? 'in' : 'out', "\n";
var_dump($s == 'S<1>', $s instanceof Stringable, (string) $s, 'S<1>' == $s, [$s] == ['S<1>']);
class N {} foreach ([fn() => 'x' . new N, fn() => (string) new N, fn() => strlen(new N)] as $f) try { echo $f(); } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
class Bad { function __toString(): string { return 5; } } echo new Bad, "\n";
class Thr { function __toString(): string { throw new Exception('in toString'); } } try { echo 'a' . new Thr . 'b'; } catch (Exception $e) { echo $e->getMessage(), "\n"; }
class D { private $secret = 1; function __debugInfo() { return ['shown' => 'yes', 5 => 'five']; } } var_dump(new D); print_r(new D); echo "\n"; var_export(new D); echo "\n";
class St { public $a; private $b; static function __set_state($arr) { $o = new self; $o->a = $arr['a']; $o->b = strtoupper($arr['b']); return $o; } function __construct($a = null, $b = null) { $this->a = $a; $this->b = $b; } } eval('$z = ' . var_export(new St([1], 'bee'), true) . ';'); var_dump($z);
class Sl { public $a = 1; protected $b = 2; private $c = 3; public $skip = 'no'; function __sleep() { echo 'sleep '; return ['a', 'b', 'c']; } function __wakeup() { echo 'wakeup '; $this->skip = 'woken'; } } $x = serialize(new Sl); echo str_replace("\0", '~', $x), "\n"; print_r(unserialize($x));
class Ser { function __construct(public $d = []) {} function __serialize(): array { return ['n' => count($this->d), 'd' => $this->d]; } function __unserialize(array $a): void { echo json_encode($a), ' '; $this->d = array_reverse($a['d']); } } $x = serialize(new Ser([1, 2])); echo $x, "\n"; print_r(unserialize($x));
class BadSleep { function __sleep() { return ['missing']; } } echo serialize(new BadSleep), "\n";
interface HasStr extends Stringable {} var_dump((new ReflectionClass('S'))->getInterfaceNames());
echo implode(',', [new S(1), new S(2)]), ' ', sprintf('%s|%5d', new S('q'), 3), ' ', json_encode(new S), ' ', max(new S('a'), new S('b')), "\n";
$k = []; try { $k[new S] = 1; } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
$l = [new S('b'), new S('a')]; usort($l, fn($a, $b) => strcmp($a, $b)); echo implode($l), "\n";
switch (new S('k')) { case 'S<k>': echo "switch hit\n"; }
