<?php
// Which objects ArrayObject and its like take as their storage.

$o = unserialize('O:3:"Foo":2:{s:1:"a";i:1;s:1:"b";i:2;}');
foreach (['ArrayObject', 'ArrayIterator', 'RecursiveArrayIterator'] as $c) {
  try { $a = new $c($o); var_dump(count($a)); foreach ($a as $k => $v) echo "$k=>$v\n"; var_dump($a['a'], isset($a['zz'])); $a['c'] = 3; var_dump(count($a), $o); unset($a['c']); var_dump($a->getArrayCopy()); } catch (Throwable $e) { echo $e->getMessage(), "\n"; }
}
foreach ([new DateTime('2020-01-01 UTC'), new ArrayObject([1]), new ArrayIterator([1,2]), new DateInterval('P1D'), function() {}, new SplObjectStorage, new SplFixedArray(2), new SplDoublyLinkedList, new SplPriorityQueue, (function() { yield 1; })(), new DatePeriod(new DateTime('2020-01-01'), new DateInterval('P1D'), 1), new DateTimeZone('UTC'), new ReflectionClass('stdClass'), new Exception('x'), WeakReference::create($o), new WeakMap, new SplTempFileObject, new PDO('sqlite::memory:'), new SQLite3(':memory:'), fopen('php://memory','r'), new class { public $x = 1; private $y = 2; }, new SplHeapTest ] as $x) {
  try { $a = new ArrayObject($x); echo get_class($x), ' ', count($a), "\n"; } catch (Throwable $e) { echo $e->getMessage(), "\n"; }
}
class SplHeapTest extends SplMinHeap {}
