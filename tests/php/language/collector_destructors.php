<?php
// Cycles found by the collector: destructors run first, and what they keep alive stays.

class Node {
    public $link;
    public function __construct(public string $name) {}
    public function __destruct() { echo "end of $this->name\n"; }
}
class Keeper extends Node {
    public static $kept;
    public function __destruct() { parent::__destruct(); self::$kept = $this; }
}
function pair(Node $a, Node $b) { $a->link = $b; $b->link = $a; }

pair(new Node('a'), new Node('b'));
echo 'none yet: ', gc_collect_cycles() > 0 ? 'collected' : 'nothing', "\n";
pair(new Keeper('k'), new Node('l'));
gc_collect_cycles();
echo Keeper::$kept->name, ' ', Keeper::$kept->link->name, "\n";
Keeper::$kept = null;
gc_collect_cycles();
echo "not twice\n";

$f = null;
(function () {
    $o = new Node('captured');
    $o->link = function () use ($o) { return $o->name; };
})();
gc_collect_cycles();

function generates() {
    $me = yield;
    $hold = new Node('in generator');
    yield $hold;
}
$g = generates();
$g->current();
$g->send($g);
unset($g);
gc_collect_cycles();

$map = new WeakMap;
$ref = (function () use ($map) {
    $n = new Node('weak');
    $n->link = $n;
    $map[$n] = 'value';
    return WeakReference::create($n);
})();
echo count($map), ' ', $ref->get() ? 'alive' : 'gone', "\n";
gc_collect_cycles();
echo count($map), ' ', $ref->get() ? 'alive' : 'gone', "\n";

$array = [1];
$array[] = &$array;
unset($array);
echo gc_collect_cycles() > 0 ? 'array collected' : 'array left', "\n";
echo "end\n";
