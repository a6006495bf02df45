<?php
// Exceptions thrown in finally and destructors are chained to the one in flight.
class D { function __destruct() { throw new LogicException('destructor'); } }
function f() { $d = new D; try { throw new RuntimeException('body'); } finally { throw new DomainException('finally'); } }
f();
