<?php
// Properties that an assignment creates: of plain objects, beside what is declared, asked for by __set, of clones and arrays that share their table.
function fill($o, $x) {
    $o->a = 1;
    $o->b = $x;
    $o->c = "t$x";
    $o->{'5 fingers'} = 'five';
    $o->a = [$x];
    return $o;
}
#[AllowDynamicProperties]
class Allowed { public $b = 'declared'; }
#[AllowDynamicProperties]
class Asked { function __set($n, $v) { echo "set $n\n"; } }
#[AllowDynamicProperties]
class Typed { public int $b = 0; static $c = 3; private $a; function a() { return $this->a; } }
class Plain {}
set_error_handler(function ($n, $m) { echo "$m\n"; return true; });
foreach ([new stdClass, new Allowed, new Asked, new Typed, new Plain, new ArrayObject, (object)['z' => 1]] as $o) {
    for ($i = 0; $i < 2; $i++) {
        try {
            fill($o, $i);
        } catch (Error $e) {
            echo get_class($e), ': ', $e->getMessage(), "\n";
        }
    }
    var_dump($o);
}
$o = fill(new stdClass, 1);
$clone = clone $o;
$array = (array) $o;
$clone->d = 'only the clone has it';
$o->e = 'only the original';
var_dump(count((array) $o), count((array) $clone), count($array), isset($o->d), isset($clone->e));
$r = 1;
$ref = new stdClass;
$ref->a = &$r;
fill($ref, $undefined);
var_dump($r, $ref->b);
foreach ($o as $k => $v) { if ($k === 'a') { $o->late = 1; } echo $k, ' '; }
echo "\n";
class Watched { function __destruct() { echo "gone\n"; } }
$w = new stdClass;
$w->a = new Watched;
fill($w, 2);
echo json_encode($w), "\n";
$reflector = new ReflectionClass('Allowed');
$lazy = $reflector->newLazyGhost(function ($o) { echo "initialised\n"; });
fill($lazy, 3);
var_dump($lazy);
