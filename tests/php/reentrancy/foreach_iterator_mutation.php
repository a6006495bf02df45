<?php
// Iterators and generators that change or destroy themselves during foreach.
$it = new ArrayIterator([1, 2, 3, 4]); foreach ($it as $k => $v) { if ($k === 1) $it->offsetUnset(2); if ($k === 0) $it[] = 5; echo "$k=$v "; } echo json_encode($it->getArrayCopy()), "\n";
$ao = new ArrayObject([1, 2, 3]); foreach ($ao as $k => $v) { if (count($ao) < 6) $ao[] = $v * 10; if ($k === 1) unset($ao[0]); echo "$k=$v "; } echo "\n";
$it = new ArrayIterator(['a' => 1, 'b' => 2]); foreach ($it as $k => $v) { $it = null; echo "$k=$v "; } var_dump($it); function g() { try { global $g; yield 1; $g = null; yield 2; yield 3; } finally { echo 'fin '; } } $g = g(); foreach ($g as $v) { echo $v, ' '; } var_dump($g); $g = g(); foreach ($g as $v) { $g = null; echo $v, ' '; break; } echo "\n";
class It implements Iterator { public $d = [1, 2, 3]; public $i = 0; function current(): mixed { global $cur; if ($this->i === 1) $cur = null; return $this->d[$this->i]; }
function key(): mixed { return $this->i; }
function next(): void { $this->i++; $this->d[] = $this->i > 5 ? 'x' : 'y'; }
function rewind(): void { $this->i = 0; }
function valid(): bool { if ($this->i === 4) throw new Exception('valid throws'); return isset($this->d[$this->i]); } } $cur = new It; try { foreach ($cur as $k => $v) { echo "$k=$v "; } } catch (Exception $e) { echo $e->getMessage(), ' '; } var_dump($cur); $l = new SplDoublyLinkedList; foreach ([1, 2, 3] as $x) $l->push($x); foreach ($l as $k => $v) { echo $v, ' '; if ($v === 1) $l->offsetUnset(1); if (count($l) < 5) $l->push($v + 10); if ($k > 8) break; } echo count($l), "\n";
$s = new SplObjectStorage; $o1 = new stdClass; $o2 = new stdClass; $s[$o1] = 1; $s[$o2] = 2; foreach ($s as $i => $o) { if ($i === 0) { $s->attach(new stdClass); } echo $i, ' '; if ($i > 5) break; } echo count($s), "\n";
$f = new SplFixedArray(3); foreach ($f as $i => $v) { if ($i === 0) $f->setSize(5); $f[$i] = "v$i"; echo $i, ' '; } echo json_encode($f->toArray()), "\n";
$q = new SplPriorityQueue; $q->insert('a', 1); $q->insert('b', 2); foreach ($q as $v) { echo $v; if ($v === 'b' && ($once = ($once ?? 0) + 1) === 1) { $q->insert('c', 5); } if ($v === 'c') $q->insert('d', 0); } echo count($q), "\n";
$m = new WeakMap; $k1 = new stdClass; $k2 = new stdClass; $k3 = new stdClass; $m[$k1] = 1; $m[$k2] = 2; $m[$k3] = 3; foreach ($m as $k => $v) { echo $v; unset($k2); } echo count($m), "\n";
class Ag implements IteratorAggregate { public $items = [1, 2]; function getIterator(): Iterator { foreach ($this->items as $i) { yield $i; } } } $ag = new Ag; foreach ($ag as $v) { $ag->items[] = 3; $ag2 = $ag; $ag = null; echo $v; $ag = $ag2; } echo "\n";
function thr() { yield 1; throw new Exception('gen throws'); } try { foreach (thr() as $v) { echo $v; } } catch (Exception $e) { echo $e->getMessage(), "\n";
} try { iterator_to_array(thr()); } catch (Exception $e) { echo $e->getMessage(), "\n";
} try { [...thr()]; } catch (Exception $e) { echo $e->getMessage(), "\n";
} try { max(...thr()); } catch (Exception $e) { echo $e->getMessage(), "\n";
} $x = [1]; try { array_push($x, ...thr()); } catch (Exception $e) { echo json_encode($x), "\n";
}
