<?php
// `foreach` by reference over a plain object goes over what its variable holds at the moment.
$e = [1, 2, 3];
foreach ($e as $e => &$v) { var_dump($e, $v); }
var_dump($e);
$e = [1, 2, 3];
foreach ($e as $e => &$v) { var_dump($e, $v); $e = 5; break; }
var_dump($e);
$o = (object) [1, 2];
foreach ($o as $o => &$v) { var_dump($o, $v); --$o; }
unset($v);
$o = (object) [1, 2];
foreach ($o as $k => &$v) { var_dump($k, $v); $o = "a"; }
unset($v);
$o = (object) [1, 2];
$n = 0;
foreach ($o as $k => &$v) { var_dump($k, $v); if (!$n++) $o = [5, 6]; }
unset($v);
var_dump($o);
$o = (object) [1, 2, 3];
$n = 0;
foreach ($o as $k => &$v) { var_dump($k, $v); if (!$n++) $o = (object) [5, 6]; if ($n > 9) break; }
unset($v);
$n = 0;
$o = (object) [1, 2, 3];
foreach ($o as $k => &$v) { var_dump($k, $v); if (!$n++) { unset($o); } if ($n > 9) break; }
unset($v);
class K { public $o; function go() { $n = 0; $this->o = (object) [1, 2]; foreach ($this->o as $k => &$v) { var_dump($k, $v); if (!$n++) $this->o = [3]; } var_dump($this); } }
(new K)->go();
class L { public $a = 1; public $b = 2; private $c = 3; }
$o = new L;
foreach ($o as $k => &$v) { $v .= $k; }
unset($v);
var_dump($o);
$p = $o;
foreach ($p as &$v) { $p = new ArrayObject([1]); }
echo "\n";
$p = new ArrayIterator([1, 2]);
try { foreach ($p as &$v) { $p = new ArrayObject([1]); } } catch (Throwable $e) { echo $e->getMessage(), "\n"; }
function gen() { yield 1; yield 2; }
$g = gen();
try { foreach ($g as &$v) { $g = 5; echo $v; } } catch (Throwable $e) { echo $e->getMessage(), "\n"; }
function &gen2() { $x = 1; yield $x; $x = 2; yield $x; }
$g = gen2();
try { foreach ($g as &$v) { $g = 5; echo $v; } } catch (Throwable $e) { echo $e->getMessage(), "\n"; }
function t($a, $f, $max = 6) { $n = 0; foreach ($a as $k => &$v) { echo "$k=$v "; $f($a, $n); if (++$n > $max) { echo '...'; break; } } echo json_encode($a), "\n"; }
t([1, 2], function (&$a) { $a = (object) ['prop' => 1]; });
t([1, 2], function (&$a) { $a = (object) ['prop' => 1, 'q' => 2]; });
t((object) [1, 2], function (&$a) { $a = (object) ['prop' => 1]; });
t((object) [1, 2], function (&$a) { $a = (object) ['prop' => 1, 'q' => 2]; });
t((object) [1, 2], function (&$a) { static $o = []; $o[] = $a; $a = (object) ['prop' => 1, 'q' => 2]; });
t((object) [1, 2], function (&$a, $n) { if (!$n) $a = (object) ['prop' => 1, 'q' => 2]; });
t([1, 2], function (&$a, $n) { if (!$n) $a = (object) ['prop' => 1, 'q' => 2]; });
t([1, 2], function (&$a) { static $o = []; $o[] = $a; $a = (object) ['prop' => 1, 'q' => 2]; });
class P { public $x = 1; public $y = 2; }
t([1, 2], function (&$a) { static $o = []; $o[] = $a; $a = new P; });
t((object) [1, 2], function (&$a) { static $o = []; $o[] = $a; $a = new P; });
t((object) [1, 2], function (&$a) { $a = new P; });
t(new P, function (&$a) { $a = new P; });
t(new P, function (&$a) { $a = [5, 6]; });
t(new P, function (&$a) { $a = [5, 6]; $a[0] = 7; });
