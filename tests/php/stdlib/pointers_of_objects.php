<?php
// The internal pointer of an object's properties (deprecated) goes with the object, and is in what the object holds itself.
error_reporting(E_ALL & ~E_DEPRECATED);
for ($i = 0; $i < 3; $i++) {
    $object = (object) ['a' => 1, 'b' => 2, 'c' => 3];
    echo key($object), next($object), key($object), end($object), "\n";
    $object = null;
    // Another one in its place begins at its start.
    $other = (object) ['x' => 1];
    var_dump(key($other), current($other));
    $other = null;
}
enum Suit: string {
    case Hearts = 'h';
    case Spades = 's';
}
$suit = Suit::Hearts;
var_dump(key($suit), next($suit), key($suit), next($suit), key($suit));
class Row {
    public int $none;
    public $a = 1;
    protected $b = 2;
    private $c = 3;
}
$row = new Row;
do {
    echo json_encode([key($row), current($row)]), "\n";
} while (next($row) !== false);
var_dump(key($row));
class List2 extends ArrayObject {
    public $own = 1;
    protected $hidden = 2;
}
foreach ([new DateTimeZone('UTC'), new DateTime('2020-01-01'), new ArrayObject([1, 2]), new List2([5, 6])] as $object) {
    echo $object::class, ' ', json_encode([key($object), current($object)]), "\n";
    array_walk($object, function ($value, $key) {
        echo '  ', json_encode($key), ' => ', json_encode($value), "\n";
    });
}
