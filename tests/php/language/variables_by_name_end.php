<?php
// Variables that a function has by name end behind its own.
function f4() { $n = 'a'; $$n = new stdClass; $x = new stdClass; echo spl_object_id($$n), spl_object_id($x), "\n"; }
f4();
var_dump(new stdClass);
function f5() { $x = new stdClass; $n = 'a'; $$n = new stdClass; echo spl_object_id($$n), spl_object_id($x), "\n"; }
f5();
var_dump(new stdClass);
function f7() { extract(['a' => (new \stdClass)]); $x = new stdClass;  }
f7();
var_dump(new stdClass);
class D { function __construct(public $n) {} function __destruct() { echo "d$this->n\n"; } }
function f8() { $n = 'a'; $$n = new D(1); $x = new D(2); }
f8();
function f9() { extract(['a' => new D(1)]); $x = new D(2); }
f9();
function f10() { $x = new D(2); extract(['a' => new D(1), 'b' => new D(4)]); }
f10();
function f11() { $x = new D(2); extract(['a' => new D(1), 'x' => new D(4)]); $x = $x; }
f11();
