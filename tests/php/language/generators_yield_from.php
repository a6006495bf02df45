<?php
// Delegation: keys, return values, sharing, exceptions through the chain.
function inner() { $x = yield 1; echo "in:", json_encode($x), " "; yield 2; return 'inner-ret'; }
function outer() { $r = yield from inner(); echo "r=$r "; yield 3; return 'outer-ret'; }
foreach (($o = outer()) as $k => $v) echo "$k=>$v "; echo $o->getReturn(), "\n";
$o = outer(); $o->current(); echo $o->send('sent'), "\n";
function arr() { yield 0; $r = yield from ['a' => 1, 'b' => 2]; var_dump($r); yield from []; yield 9; }
foreach (arr() as $k => $v) echo "$k=>$v "; echo "\n";
function it() { yield from new ArrayIterator(['x' => 1, 'y' => 2]); return yield from new class implements IteratorAggregate { function getIterator(): Iterator { return new ArrayIterator([7]); } }; }
foreach (it() as $k => $v) echo "$k=>$v "; echo "\n";
function deep($n) { if ($n) { yield $n; yield from deep($n - 1); yield -$n; } }
foreach (deep(4) as $v) echo $v, ' '; echo "\n";
function thrower() { try { yield 1; yield 2; } catch (Exception $e) { echo 'inner caught ', $e->getMessage(), ' '; yield 'rec'; throw new LogicException('from inner'); } }
function del() { try { yield from thrower(); } catch (LogicException $e) { echo 'outer caught ', $e->getMessage(), ' '; yield 'out'; } }
$d = del(); echo $d->current(), ' ', $d->throw(new Exception('T')), ' '; $d->next(); echo $d->current(), "\n";
function throwIntoArr() { try { yield from [1, 2, 3]; } catch (Exception $e) { echo 'arr caught '; yield 'x'; } }
$d = throwIntoArr(); $d->current(); echo $d->throw(new Exception('T')), "\n";
$shared = inner(); function sh($g, $n) { $r = yield from $g; echo "[$n:$r]"; }
$a = sh($shared, 'a'); $b = sh($shared, 'b'); echo $a->current(), $b->current(); $a->next(); echo $b->current(); $b->next(); $a->next(); echo "\n"; var_dump($a->valid(), $b->valid());
function fin() { try { yield 1; yield 2; } finally { echo 'inner-finally '; } }
function finOuter() { try { yield from fin(); } finally { echo 'outer-finally '; } }
$f = finOuter(); $f->current(); unset($f); echo "\n";
function selfy() { global $sg; yield 1; yield from $sg; } $sg = selfy(); try { foreach ($sg as $v) echo $v, ' '; } catch (Error $e) { echo $e->getMessage(), "\n"; }
function bad() { yield from 5; } try { foreach (bad() as $v); } catch (Error $e) { echo $e->getMessage(), "\n"; }
$done = inner(); foreach ($done as $v); function fromDone($g) { return yield from $g; } $fd = fromDone($done); try { foreach ($fd as $v) echo 'never'; echo $fd->getReturn(), "\n"; } catch (Error $e) { echo $e->getMessage(), ' ', $done->getReturn(), "\n"; }
function ab() { throw new Exception('aborted'); yield; } $ab = ab(); try { $ab->current(); } catch (Exception) {} try { $fd = fromDone($ab); $fd->current(); } catch (Error $e) { echo get_class($e), ' ', $e->getMessage(), "\n"; } unset($fd, $e);
function tree($t) { if ($t) { yield from tree($t[0]); yield $t[1]; yield from tree($t[2]); } }
foreach (tree([[[null, 1, null], 2, [null, 3, null]], 4, [null, 5, null]]) as $v) echo $v, ' '; echo "\n";
var_dump(iterator_to_array((function () { yield 1; yield from [10, 11]; yield 2; })(), true));
function keyed() { yield 'k' => 1; yield from (function () { yield 'k2' => 2; yield 3; })(); yield 4; } foreach (keyed() as $k => $v) echo "$k=>$v "; echo "\n";
// An iterator without elements has ended, and its number is free, when the generator goes on.
function none() { yield from new ArrayIterator([]); var_dump(new stdClass); yield 1; } foreach (none() as $v) var_dump(new stdClass);
// The value that the inner generator has yielded last stays with the outer one, the key does not.
class Named { function __construct(private $name) {} function __destruct() { echo "~$this->name "; } }
function yieldsNamed() { $inner = new Named('inner'); yield new Named('key') => new Named('value'); } function takesNamed() { $outer = new Named('outer'); yield from yieldsNamed(); }
$g = takesNamed(); $g->send(1); echo '| '; $g = null; echo "\n";
foreach ($g = takesNamed() as $v); unset($v); echo '| '; $g = null; echo "\n";
