<?php
// SplStack, Queue, DoublyLinkedList, Heap, PriorityQueue, FixedArray, ObjectStorage.
require __DIR__ . '/inc/show.php';
$s = new SplStack; $s->push(1); $s[] = 2; $s->push(3);
show('stack', $s->top(), $s->pop(), count($s), iterator_to_array($s), $s->isEmpty(), $s->bottom()); $q = new SplQueue; $q->enqueue('a'); $q->enqueue('b'); $q[] = 'c';
show('queue', $q->dequeue(), iterator_to_array($q), $q[0], count($q)); $l = new SplDoublyLinkedList; foreach ([1, 2, 3, 4] as $x) $l->push($x); $l->unshift(0); $l->add(2, 'ins');
show('list', iterator_to_array($l), $l->offsetGet(2), $l->shift(), $l->pop()); $l->offsetUnset(1); $l[0] = 'zero';
show('list 2', iterator_to_array($l), isset($l[5])); $l->setIteratorMode(SplDoublyLinkedList::IT_MODE_LIFO);
show('lifo', iterator_to_array($l, false)); $l->setIteratorMode(SplDoublyLinkedList::IT_MODE_DELETE); foreach ($l as $v) echo v($v), ' '; echo count($l), "\n"; foreach ([fn() => (new SplStack)->pop(), fn() => (new SplStack)->top(), fn() => (new SplQueue)->dequeue(), fn() => $l[9], fn() => $l->offsetUnset(9), fn() => $l->add(9, 1), fn() => $s->setIteratorMode(SplDoublyLinkedList::IT_MODE_FIFO), fn() => $l['x'], fn() => (new SplMinHeap)->extract(), fn() => (new SplMinHeap)->top(), fn() => (new SplPriorityQueue)->extract(), fn() => (new SplFixedArray(2))[2], fn() => (new SplFixedArray(2))['x'], fn() => new SplFixedArray(-1), function () { $x = new SplFixedArray(2); $x[] = 1; }, fn() => SplFixedArray::fromArray(['a' => 1]), fn() => SplFixedArray::fromArray([-1 => 1]), fn() => (new SplObjectStorage)[new stdClass]] as $i => $f) try { echo $i, ' ', v($f()), "\n"; } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; } $h = new SplMinHeap; foreach ([5, 1, 3] as $x) $h->insert($x);
show('min', $h->extract(), $h->top(), count($h), iterator_to_array($h, false), count($h)); $h = new SplMaxHeap; foreach ([[1, 'a'], [3, 'b'], [2, 'c']] as $x) $h->insert($x);
show('max', $h->extract(), $h->valid()); class Rev extends SplHeap { function compare($a, $b): int { return strlen($a) <=> strlen($b); } } $h = new Rev; foreach (['aaa', 'b', 'cc'] as $x) $h->insert($x);
show('user heap', iterator_to_array($h, false)); class Bad extends SplMinHeap { function compare($a, $b): int { if ($a == 2 || $b == 2) throw new Exception('cmp'); return parent::compare($a, $b); } } $h = new Bad; $h->insert(1);
try { $h->insert(2); } catch (Exception $e) { echo $e->getMessage(), ' ', var_export($h->isCorrupted(), true), ' '; }
try { $h->top(); } catch (Exception $e) { echo $e->getMessage(), "\n"; } $h->recoverFromCorruption();
show('recovered', count($h)); $p = new SplPriorityQueue; foreach (['lo' => 1, 'hi' => 10, 'mid' => 5, 'mid2' => 5] as $v => $pr) $p->insert($v, $pr);
show('pq', $p->top(), count($p)); $p->setExtractFlags(SplPriorityQueue::EXTR_BOTH);
show('both', $p->extract()); $p->setExtractFlags(SplPriorityQueue::EXTR_PRIORITY);
show('prio', $p->extract()); $p->setExtractFlags(SplPriorityQueue::EXTR_DATA); $p->insert('arr', [1, 2]);
show('rest', iterator_to_array($p, false)); $f = new SplFixedArray(3); $f[0] = 'a'; $f['1'] = 'b';
show('fixed', $f->toArray(), $f->getSize(), isset($f[2]), isset($f[0]), isset($f[9])); $f->setSize(5); $f[4] = 'e';
show('grown', $f->toArray()); $f->setSize(1);
show('shrunk', $f->toArray(), count($f));
show('from', SplFixedArray::fromArray([3 => 'x', 1 => 'y'])->toArray(), SplFixedArray::fromArray([3 => 'x', 1 => 'y'], false)->toArray()); foreach (SplFixedArray::fromArray([1, 2]) as $k => $v) echo "$k=$v "; echo json_encode(SplFixedArray::fromArray([1, [2]])), "\n"; $st = new SplObjectStorage; $a = new stdClass; $b = new stdClass; $st->attach($a, 'data a'); $st[$b] = 'data b';
show('storage', count($st), $st[$a], $st->contains($b), isset($st[$b])); foreach ($st as $i => $o) { show('each', $i, $o === $a, $st->getInfo()); $st->setInfo("new$i"); } show('info', $st[$a]); $o2 = new SplObjectStorage; $o2->attach($a); $o2->attach(new stdClass); $u = clone $st; $u->addAll($o2);
show('sets', count($u), $u->removeAll($o2), count($u)); $u->addAll($st);
show('except', $u->removeAllExcept($o2), count($u)); $st->detach($a);
show('detached', count($st), $st->count(COUNT_RECURSIVE), spl_object_id($a) > 0, strlen($st->getHash($a))); var_dump($st);
show('serialize', serialize($s), serialize($f), unserialize(serialize($q)) == $q); print_r($s); print_r($h); var_dump($p->count(), $f); class Hs extends SplObjectStorage { function getHash($o): string { return get_class($o); } } $hs = new Hs; $hs->attach(new stdClass); $hs->attach(new stdClass); $hs->attach(new ArrayObject);
show('custom hash', count($hs));
