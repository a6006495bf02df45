<?php
// After an exception from a destructor at the end of the script no other is called, not for what that object held either.
class Held { function __destruct() { echo "not reached\n"; } }
class Holder { public $held; function __destruct() { throw new Exception('at the end'); } }
$holder = new Holder;
$holder->held = new Held;
echo "end\n";
