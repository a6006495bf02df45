<?php
// Which closures can be unbound: those that do not name $this themselves, whatever they call through class names and whatever
// closures within them name.

class P { static function hi() { return "P"; } function inst() { return isset($this) ? "inst" : "none"; } }
class A extends P { static function hi() { return "A"; } const C = 1; public static $s = 2; public $p = 3; function m() {} function __call($n,$a) { return "__call"; } static function __callStatic($n,$a) { return "__callStatic"; } }
class B extends P {
  const C = 1; public static $s = 2; public $p = 3;
  static function hi() { return "B"; }
  function m() {}
  function all() {
    return [
     'self::' => function () { return self::hi(); },
     'static::' => function () { return static::hi(); },
     'parent::' => function () { return parent::hi(); },
     'named' => function () { return P::hi(); },
     'named inst' => function () { return P::inst(); },
     'parent inst' => function () { return parent::inst(); },
     'const' => function () { return self::C; },
     'sprop' => function () { return self::$s; },
     'new self' => function () { return new self; },
     'new static' => function () { return new static; },
     'instanceof self' => function ($x = 1) { return $x instanceof self; },
     'this' => function () { return $this->p; },
     'isset this' => function () { return isset($this); },
     'isset this->p' => function () { return isset($this->p); },
     'var this' => function () { $n = 'this'; return $$n; },
     'compact' => function () { return compact('this'); },
     'eval' => function () { return eval('return isset($this);'); },
     'include' => function () { return 1; include 'x'; },
     'arrow self' => fn() => self::hi(),
     'arrow none' => fn() => 1,
     'arrow this' => fn() => $this,
     'nested closure this' => function () { return function () { return $this; }; },
     'nested closure none' => function () { return function () { return 1; }; },
     'nested static closure' => function () { return static function () { return 1; }; },
     'nested closure self' => function () { return function () { return self::hi(); }; },
     'nested arrow' => function () { return fn() => 1; },
     'nested arrow this' => function () { return fn() => $this; },
     'nested static arrow' => function () { return static fn() => 1; },
     'nested arrow self' => function () { return fn() => self::hi(); },
     'fcc self' => function () { return self::hi(...); },
     'fcc this' => function () { return $this->m(...); },
     'dyn class' => function ($c = 'P') { return $c::hi(); },
     'dyn method' => function ($c = 'hi') { return self::$c(); },
     'dyn both' => function ($c = 'P', $m = 'hi') { return $c::$m(); },
     'call_user_func' => function () { return call_user_func('parent::hi'); },
     'func' => function () { return strlen("a"); },
     'new anon' => function () { return new class { function f() { return $this; } }; },
     'method decl' => function () { function nested_fn_decl() { return isset($this); } },
     'generator' => function () { yield 1; },
     'generator self' => function () { yield self::hi(); },
     '::class' => function () { return self::class; },
     'static::class' => function () { return static::class; },
     'unset' => function () { unset($this->p); },
     'use' => function () use (&$x) { return $x; },
     'string this' => function () { return "$this->p"; },
     'default param' => function ($x = self::C) { return $x; },
     'static var' => function () { static $x = 1; return $x; },
     'catch this' => function () { try { } catch (Exception $e) { } return get_defined_vars(); },
     'func_get_args' => function () { return func_get_args(); },
     'dead' => function () { return 1; self::hi(); },
     'cond' => function () { if (0) { $this; } return 1; },
     'dead static' => function () { if (false) self::hi(); return 1; },
     'const expr' => function () { return constant('self::C'); },
     'A unknown' => function () { return Nowhere::foo(); },
     'array callable' => function () { return [self::class, 'hi'](); },
     'str callable' => function () { return 'B::hi'(); },
     'builtin static' => function () { return DateTime::createFromFormat('Y', '2020') ? 1 : 0; },
     'builtin enum' => function () { return Closure::fromCallable('strlen') ? 1 : 0; },
     'Closure::bind' => function () { return Closure::bind(function () { return 1; }, null) ? 1: 0; },
     'static fn with this-less args' => function () { return array_map(fn($x) => $x, [1]); },
     'static arg' => function () { return array_map(static fn($x) => $x, [1]); },
    ];
  }
}
set_error_handler(function ($l, $t) { echo "  $t\n"; return true; });
foreach ((new B)->all() as $name => $f) {
  echo "$name\n";
  foreach ([null, A::class] as $scope) {
    $g = $scope ? Closure::bind($f, null, $scope) : Closure::bind($f, null);
    if (!$g) { echo "  none\n"; continue; }
    $r = new ReflectionFunction($g);
    echo "  this: ", is_object($r->getClosureThis()) ? get_class($r->getClosureThis()) : 'null', " static: ", var_export($r->isStatic(), true), "\n";
    if ($name == 'method decl' || str_contains($name, 'nested class')) continue;
    try { $v = $g(); echo "  = ", is_object($v) ? get_class($v) : (is_array($v) ? count($v) : var_export($v, true)), "\n"; } catch (Error $e) { echo "  ", $e->getMessage(), "\n"; }
  }
}
