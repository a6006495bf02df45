<?php
// Destructors of temporaries throw where the instruction that ends them is.
class D { function __construct(public $m) {} function __destruct() { throw new Exception($this->m); } function __toString() { return 's'; } }
foreach ([fn() => count([new D('count')]), fn() => is_array([new D('is_array')]), fn() => [new D('instanceof')][0] instanceof D, fn() => isset([new D('isset')][1]), fn() => 'a' . new D('concat'), fn() => [1, new D('dim')][0], fn() => (string) new D('cast'), fn() => strlen(new D('strlen')), fn() => ![new D('not')], fn() => strtoupper(new D('builtin')), function () { echo new D('echo'), ' '; }] as $f) {
    try { var_dump($f()); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
}
try { strlen([]); } catch (TypeError $e) { echo $e->getMessage(), ' ', count($e->getTrace()), "\n"; }
