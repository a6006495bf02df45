<?php
// While an expression of a class is evaluated, everything goes wrong there.
class C2 {
    public const K0 = (3 | (-2147483648 - PHP_INT_MAX));
    public $p = self::K0 . [1];
    const D = Loaded::X;
    const F = UNDEF_ONE;
}
set_error_handler(function ($n, $m, $f, $l) {
  echo "$m @$l\n";
  echo $undefined_here;
  throw new ErrorException($m, $n); });
spl_autoload_register(function ($c) { echo "load $c\n"; echo $undef;
 throw new Exception("no $c"); });
t(fn() => C2::K0);
t(fn() => new C2);
t(fn() => C2::D);
t(fn() => C2::F);
