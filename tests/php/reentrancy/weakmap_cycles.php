<?php
// Weak maps and the collector: a value lives as long as the map and the key do, also when it holds them itself.
class N { public $l; function __construct(public $n) {} function __destruct() { self::$gone[] = $this->n; } static $gone = []; }
function gone() { sort(N::$gone); echo implode(' ', N::$gone), ' '; N::$gone = []; }
function counts(WeakMap $m) { gc_collect_cycles(); gone(); echo count($m), "\n"; }
$m = new WeakMap; $k = new N('self'); $m[$k] = $k; counts($m); unset($k); counts($m);
$k = new N('array'); $m[$k] = [$k]; unset($k); counts($m);
$k = new N('container'); $c = new N('canary'); $k->l = $c; $m[$c] = $k; unset($k, $c); counts($m);
$k = new N('k1'); $k2 = new N('k2'); $m[$k] = $k2; $m[$k2] = $k; unset($k); counts($m); unset($k2); counts($m);
$m2 = new WeakMap; $k = new N('two maps'); $m[$k] = $m2; $m2[$k] = $m; unset($k); counts($m); unset($m2);
$k = new N('live'); $m[$k] = new N('value'); $m[$k]->l = $m; unset($m); gc_collect_cycles(); gone(); echo "map gone\n"; $m = new WeakMap; $m[$m] = $m; $m[$k] = 1; unset($m); gc_collect_cycles();
$w = WeakReference::create($k); $k->l = $k; unset($k); gc_collect_cycles(); var_dump($w->get()); gone(); echo "end\n";
