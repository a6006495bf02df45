<?php
// exit from a destructor in the middle of an assignment; later destructors still run.
class D { function __construct(public $n) {}
function __destruct() { echo "~{$this->n}\n"; if ($this->n === 'first') exit("exit in destructor\n"); } }
$keep = new D('keep');
$x = new D('first');
$x = 'assigned';
echo "never\n";
