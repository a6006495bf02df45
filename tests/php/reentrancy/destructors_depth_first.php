<?php
// What an object alone held is destructed before what died beside the object, however it was held.
class Node
{
    public array $inner = [];
    public $other;
    function __construct(public string $name) {}
    function __destruct()
    {
        echo $this->name, ' ';
    }
}
function tree(string $name, int $depth): Node
{
    $node = new Node($name);
    if ($depth > 0) {
        $node->inner = [tree($name . 'a', $depth - 1), [tree($name . 'b', $depth - 1)]];
        $node->other = (object) ['x' => tree($name . 'c', $depth - 1)];
    }
    return $node;
}
$tree = tree('r', 3);
$tree = null;
echo "\n";
(function () {
    $held = [tree('s', 1), tree('t', 2)];
    $closure = function () use ($held) {};
    unset($held);
})();
echo "\n";
function steps($inner, string $name)
{
    $node = new Node($name);
    try {
        return yield from $inner;
    } finally {
        echo "finally $name ";
    }
}
function last()
{
    try {
        yield new Node('yielded');
    } finally {
        echo 'finally last ';
    }
}
$generator = last();
foreach (['1', '2', '3'] as $name) {
    $generator = steps($generator, $name);
}
$generator->current();
$generator = null;
echo "\n";
$chain = null;
for ($i = 0; $i < 2000; $i++) {
    $node = new class { public $next; static int $ended = 0; function __destruct() { self::$ended++; } };
    $node->next = $i % 2 ? $chain : [$chain];
    $chain = $node;
}
$class = $node::class;
unset($node);
$chain = null;
echo $class::$ended, "\n";
$tree = tree('end', 1);
