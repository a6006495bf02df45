<?php
// An exception from a destructor at the end of the script.
class D { public $n; function __construct($n) { $this->n = $n; }
function __destruct() { echo "~{$this->n}\n"; if ($this->n === 2) throw new Exception('at shutdown'); } }
$a = new D(1); $b = new D(2); $c = new D(3);
echo "end\n";
