<?php
// Subjects and arms of switch and match that are changed by handlers, conversions and arms themselves.
class T { function __construct(private $f) {} function __toString(): string { return ($this->f)(); } }
$x = 'b'; switch ($x) { case ($x = 'changed') && false: echo 'no'; break; case 'b': echo "subject fixed? $x\n"; break; case 'changed': echo "subject follows $x\n"; }
$x = 'b'; switch ($x . '') { case ($x = 'changed') && false: break; case 'b': echo "temp subject $x\n"; break; }
$x = 1; echo match ($x) { $x = 2 => 'two', 1 => "one, x is $x", default => 'default' }, "\n";
$x = 1; echo match (true) { $x++ > 5 => 'no', $x++ > 1 => "second, x=$x", default => 'default' }, "\n";
$o = new T(function () { global $o; $o = 'replaced'; return 'str'; }); switch ($o) { case 'nope': echo 'no'; break; case 'str': echo 'object case ', is_string($o) ? $o : 'obj', "\n"; break; case 'replaced': echo "saw replacement\n"; break; default: echo "default\n"; }
set_error_handler(function ($n, $m) { global $v; echo "<$m> "; $v = 'from handler'; return true; }); $v = 'orig'; switch ($undef) { case $v: echo "matched $v\n"; break; case null: echo "null case $v\n"; } switch (new stdClass) { case 1: echo "equals 1 $v\n"; break; default: echo "def\n"; } $arr = ['k' => 1]; echo match ($arr['missing'] ?? $arr['none']) { null => "null arm $v", default => 'no' }, "\n";
function thr() { throw new Exception('from case'); } try { switch (1) { case 0: break; case thr(): echo 'no'; default: echo 'no'; } } catch (Exception $e) { echo $e->getMessage(), "\n"; } try { echo match (1) { 0 => 'no', thr() => 'no', 1 => 'no' }; } catch (Exception $e) { echo $e->getMessage(), "\n"; } class D { function __construct(public $n) {} function __destruct() { echo "~{$this->n} "; } } switch (new D('subject')) { default: echo "in default\n"; } echo "after switch\n"; echo match (true) { default => (new D('arm'))->n }, "\n";
foreach ([1, 2] as $i) { switch (new D("s$i")) { case null: break; default: continue 2; } } echo "continued\n"; function ret() { switch (new D('r')) { default: return 'returned '; } } echo ret(), "\n";
try { switch (new D('t')) { default: throw new Exception('thrown'); } } catch (Exception $e) { echo $e->getMessage(), "\n"; } unset($e); function gen() { switch (new D('g')) { default: yield 1; yield 2; } } foreach (gen() as $q) { echo $q, ' '; break; } echo "\n";
$r = match (true) { true => match (false) { false => (function () { return match (1) { 1 => 'deep' }; })() } }; echo $r, "\n";
for ($i = 0; $i < 3; $i++) { $res[] = match ($i) { 0 => $i = 5, default => 'x' }; } echo json_encode([$res, $i]), "\n";
