<?php
// var_dump, var_export, print_r, serialize of everything, get_debug_type, gettype.
require __DIR__ . '/inc/show.php';
enum Suit: string { case H = 'h'; } class P { public $a = 1; protected $b = [1, 'k' => null]; private $c = 1.5; public ?P $self = null; public readonly int $ro; }
$vals = [null, true, 0, -5, 1.0, -0.0, 1e100, 0.1, NAN, INF, '', "a'b\\c\n\0", [], [1, [2, ['k' => 'v']]], ['x' => null, 3 => true, -1 => 'neg'], new stdClass, (object) ['a' => 1, 'b' => [2]], new P, Suit::H, [Suit::H], new ArrayObject([1]), new DateTimeZone('UTC')];
foreach ($vals as $x) { var_dump($x); var_export($x); echo "\n"; print_r($x); echo "\n"; echo gettype($x), ' ', get_debug_type($x), "\n"; if (!$x instanceof DateTimeZone) echo str_replace("\0", '~', serialize($x)), "\n"; }
var_dump(1, 'two', [3]);
$fp = fopen('php://memory', 'r'); echo preg_replace('/#\d+|\(\d+\)/', '#N', print_r($fp, true)), "\n"; fclose($fp); echo gettype($fp), ' ', get_debug_type($fp), "\n"; echo var_export((object) [], true), var_export(new P, true), "\n"; echo print_r("x", true), print_r([1 => [2 => []]], true); var_dump(get_class((function () { yield 1; })()));
