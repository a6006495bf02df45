<?php
// ArrayObject and heap callbacks that change the structure they sort.
$o = new ArrayObject([3, 1, 2]); try { $o->uasort(function ($a, $b) use ($o) { $o['new'] = 1; return $a <=> $b; }); } catch (Throwable $e) { echo get_class($e), ' ', $e->getMessage(), ' '; } echo json_encode($o->getArrayCopy()), "\n";
set_error_handler(function ($n, $m) { static $seen = []; if (!isset($seen[$m])) { $seen[$m] = 1; echo "<$m> "; } return true; }); $o = new ArrayObject([3, 1, 2]); try { $o->uasort(function ($a, $b) use ($o) { unset($o[0]); return $a <=> $b; }); } catch (Error $e) { echo $e->getMessage(), ' '; } echo json_encode($o->getArrayCopy()), "\n";
$o = new ArrayObject(['b' => 1, 'a' => 2]); try { $o->uksort(function ($a, $b) use ($o) { $o->exchangeArray([9]); return strcmp($a, $b); }); } catch (Error $e) { echo $e->getMessage(), ' '; } echo json_encode($o->getArrayCopy()), "\n";
$o = new ArrayObject([2, 1]); try { $o->uasort(fn() => throw new Exception('sort')); } catch (Exception $e) { echo $e->getMessage(), json_encode($o->getArrayCopy()), "\n";
} $o[] = 5; echo count($o), "\n";
class H extends SplMinHeap { public $evil = false; protected function compare($a, $b): int { if ($this->evil) { $this->evil = false; try { $this->insert(0); } catch (Exception $e) { echo get_class($e), ' ', $e->getMessage(), ' '; } try { $this->extract(); } catch (Exception $e) { echo $e->getMessage(), ' '; } } return parent::compare($a, $b); } } $h = new H; foreach ([3, 2] as $x) $h->insert($x); $h->evil = true; try { $h->insert(1); } catch (Throwable $e) { echo $e->getMessage(), ' '; } $h->evil = false; echo count($h) >= 3 ? 'ok' : 'few', "\n";
class P extends SplPriorityQueue { function compare($a, $b): int { throw new LogicException('cmp'); } } $p = new P; $p->insert('a', 1); try { $p->insert('b', 2); } catch (LogicException $e) { echo $e->getMessage(), ' '; } try { $p->extract(); } catch (Exception $e) { echo get_class($e), ' ', $e->getMessage(), "\n";
} $p->recoverFromCorruption(); try { echo $p->extract(), "\n";
} catch (Exception $e) { echo $e->getMessage(), "\n";
}
class S extends SplObjectStorage { function getHash($o): string { global $st; if ($st && count($st) === 1) { $st = null; } return spl_object_hash($o); } } $st = new S; $a = new stdClass; $st->attach($a); $keep = $st; $st->attach(new stdClass); echo count($keep), "\n";
class S2 extends SplObjectStorage { function getHash($o): string { throw new Exception('hash'); } } try { (new S2)->attach(new stdClass); } catch (Exception $e) { echo $e->getMessage(), "\n";
} $d = new SplDoublyLinkedList; class Dx { function __construct(public $l) {}
function __destruct() { if (count($this->l)) $this->l->pop(); echo 'dtor', count($this->l), ' '; } } $d->push(1); $d->push(2); $d->push(new Dx($d)); $d->pop(); $d->push(new Dx($d)); unset($d[count($d) - 1]); echo count($d), "\n";
$f = new SplFixedArray(3); class Fx { function __destruct() { global $f; $f->setSize(1); echo 'shrunk ', $f->getSize(), ' '; } } $f[0] = new Fx; $f[0] = 'v'; echo json_encode($f->toArray()), "\n";
$f = new SplFixedArray(2); $f[1] = new Fx; $f->setSize(5); unset($f[1]); echo $f->getSize(), "\n";
$ao = new ArrayObject(); class Ax { function __destruct() { global $ao; $ao['from dtor'] = 1; } } $ao['x'] = new Ax; $ao['x'] = 'replaced'; echo json_encode($ao), "\n";
$ao['y'] = new Ax; unset($ao['y']); $ao->exchangeArray([new Ax]); $ao->exchangeArray(['last']); echo json_encode($ao), "\n";
