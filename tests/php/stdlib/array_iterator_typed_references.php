<?php
// References into an object that an iterator or array_walk makes keep the types of the properties.
class T implements IteratorAggregate {
    public string $text = 'bar';
    public ?int $number = 1;
    public $free = 0;
    function getIterator(): Traversable { return new ArrayIterator($this); }
}
$o = new T;
foreach ($o as $name => &$value) {
    try {
        $value = [];
    } catch (TypeError $e) {
        echo "$name: ", $e->getMessage(), "\n";
    }
    if ($name !== 'free') {
        $value = 42;
    }
}
unset($value);
var_dump($o);
array_walk($o, function (&$value, $name) {
    try {
        $value = 'text';
    } catch (TypeError $e) {
        echo "$name: ", $e->getMessage(), "\n";
    }
});
var_dump($o);
class R implements IteratorAggregate {
    function __construct(public readonly int $n = 1) {}
    function getIterator(): Traversable { return new ArrayIterator($this); }
}
try {
    foreach (new R as &$v) {}
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
var_dump(property_exists(new ArrayObject(['a' => null], ArrayObject::ARRAY_AS_PROPS), 'a'));
