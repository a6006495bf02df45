<?php
// Destroying a suspended generator at the end of the script runs its finally, whose exception is uncaught.
function g() { try { yield 1; } finally { echo "finally\n"; throw new Exception('late'); } }
$g = g();
$g->current();
echo "end\n";
