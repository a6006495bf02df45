<?php
// exit inside a generator: its finally blocks do not run, its destructors do.
class D { function __destruct() { echo "~D\n"; } }
function g() { $d = new D; try { yield 1; exit("exit\n"); } finally { echo "never\n"; } }
foreach (g() as $v) echo "$v\n";
echo "never\n";
