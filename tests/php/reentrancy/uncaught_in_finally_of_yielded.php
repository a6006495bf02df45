<?php
// What a generator has yielded outlives the finally block that runs when it is destroyed, and is not destructed after an uncaught exception.
class Yielded { function __destruct() { echo "not reached\n"; } }
$g = (function () { try { yield new Yielded; } finally { echo "finally\n"; throw new Exception('late'); } })();
$g->current();
echo "end\n";
