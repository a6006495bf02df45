<?php
// Entries go with their objects; references do not keep them.
$o = new stdClass; $w = WeakReference::create($o); var_dump($w->get() === $o, WeakReference::create($o) === $w); unset($o); var_dump($w->get());
$m = new WeakMap; $a = new stdClass; $b = new ArrayObject; $m[$a] = 'A'; $m[$b] = ['list']; var_dump(count($m), isset($m[$a]), $m[$a], empty($m[$b])); $m[$b][] = 2; echo json_encode($m[$b]), "\n";
foreach ($m as $k => $v) echo get_class($k), '=>', json_encode($v), ' '; echo "\n"; unset($a); echo count($m), "\n"; unset($m[$b]); echo count($m), "\n";
foreach ([fn() => $m[1] = 1, fn() => $m[$b], fn() => $m[] = 1, fn() => $m['x'], fn() => isset($m['x']), fn() => isset($m[$b]), fn() => $m[$b] ?? 'dflt', fn() => serialize($m), fn() => $m->prop = 1, fn() => new WeakReference, fn() => serialize($w)] as $i => $f) try { echo $i, ' '; var_dump($f()); } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
class D { public $n; function __construct($n) { $this->n = $n; } function __destruct() { echo "~{$this->n} "; } }
$k = new D('key'); $m[$k] = new D('val'); unset($k); echo "both gone\n"; $k = new D('cyc'); $m[$k] = $k; unset($k); echo '(value keeps key) ', count($m), ' '; gc_collect_cycles(); echo count($m), "\n";
$k = new D('cyc2'); $k->self = $k; $m[$k] = 1; unset($k); echo count($m), ' '; gc_collect_cycles(); echo count($m), "\n";
$m2 = new WeakMap; for ($i = 0; $i < 5; $i++) { $objs[$i] = new stdClass; $m2[$objs[$i]] = $i; } foreach ($m2 as $key => &$val) { $val *= 10; } unset($val, $key); foreach ($m2 as $v) echo $v, ' '; foreach ($m2 as $key => $v) { if ($v == 20) { unset($objs[3]); } echo $v, ' '; } echo count($m2), "\n";
$c = clone $m2; unset($m2[$objs[0]]); echo count($c), count($m2), "\n"; $cache = new WeakMap; function cached($o) { global $cache; return $cache[$o] ??= (print 'computing ') . spl_object_id($o) * 0; } $x = new stdClass; echo cached($x), cached($x), "\n"; $w = WeakReference::create(fn() => 1); var_dump($w->get()); $f = fn() => 2; $w = WeakReference::create($f); echo ($w->get())(), "\n"; var_dump($m2->offsetExists($objs[1]), $m2->offsetGet($objs[1]), $m2->count()); var_dump(new WeakMap);
