<?php
// A generator that is destroyed lets go of what its loops and expressions hold before its finally block runs.
class Dtor {
    public function __construct(public $n = 0) {}
    public function __destruct() { echo "Dtor $this->n\n"; }
}
function loop() { try { foreach ([42, new Dtor] as $value) { yield $value; } } finally { echo "Finally\n"; } }
function argument() { try { var_dump(new Dtor, yield); } finally { echo "Finally\n"; } }
function nested() {
    $o = new Dtor(1);
    foreach ([new Dtor(2)] as $v) {
        try { foreach ([new Dtor(3)] as $w) { yield 1; } } finally { echo "Finally\n"; }
    }
}
foreach (['loop', 'argument', 'nested'] as $name) {
    echo "-- $name\n";
    $gen = $name();
    $gen->rewind();
    unset($gen);
}
