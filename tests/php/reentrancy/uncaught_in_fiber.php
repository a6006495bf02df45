<?php
// An exception leaves the fiber through start() and, uncaught, shows both stacks.
function inner() { throw new DomainException('from fiber'); }
$f = new Fiber(function () { inner(); });
function outer($f) { $f->start(); }
outer($f);
