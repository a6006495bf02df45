<?php
// At the end of the script the exception handler is called for each destructor that throws, before what its object held is destructed.
class Held { function __destruct() { echo "held\n"; } }
class Holder { public $held; function __destruct() { throw new Exception('at the end'); } }
set_exception_handler(function ($e) { echo $e->getMessage(), "\n"; });
$a = new Holder;
$a->held = new Held;
$b = new Holder;
$b->held = new Held;
echo "end\n";
