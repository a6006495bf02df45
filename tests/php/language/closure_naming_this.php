<?php
// What counts as naming $this.

class B { public $p = 1; function all() { return [
 fn() => fn() => $this, fn() => function() { return $this; }, function() { return fn() => $this; },  function() { return fn() => fn() => $this->p; }, function () { return fn() => function() { return $this; }; }, 
 function () { return new class($this) { function __construct(public $x) {} }; },
 fn() => isset($this->p),  fn() => [fn() => static fn() => 1],
 function () { $this::class; }, function() { return $this?->p; }, function() { return $this instanceof B; }, function () { foreach ($this as $x); }, function () { return clone $this; },
 function () { return "{$this->p}"; }, function () { return $this(); }, function() { [$a, $b] = [$this, 1]; }, function () { return $this->m(...); },  function() { static $x = 1; global $g; },
 function() { return [...$this]; }, function() { throw $this; }, function() { yield from $this; }, function () { unset($this->p); }, function () { $this->p++; }, function() { $this->p ??= 1; }, function () { $this->p = 1; }, function () { $x = &$this->p; }, function () { return $this->p['x']; }, function() { return empty($this); }, function () { f($this); }, function () { strlen($this); }, function() { compact('this'); }, function() { extract(['this' => 1]); }, function() { return (fn() => 1)(); }, function() { echo $this; },function() { return ${'this'}; }, function () { return $$x; }, function () { include 'x'; }, function () { new $this; }, function () { return $this::X; }, function () { return $this::x(); }, function () { return $this::$x; }, function() { return match(true) { default => $this }; }, function ($x = new B) {}, function () { return get_class($this); }, function () { return func($$x); }
 ]; } }
set_error_handler(fn() => true);
foreach ((new B)->all() as $i => $f) echo $i, Closure::bind($f, null) ? " free" : " bound", "\n";
