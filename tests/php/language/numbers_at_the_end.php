<?php
class G { public $n; function __construct($n) { $this->n = $n; } function __destruct() { var_dump($this->n, new stdClass); } }
$a = new G(1);
$t = new ArrayObject;
$b = new G(2);
$c = new ArrayObject;
$d = [new G(3)];
$e = [new stdClass];
