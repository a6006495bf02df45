<?php
// As handler_throws_instruction_goes_on, for properties, typed ones above all, and elements.
set_error_handler(function ($n, $m) { throw new ErrorException($m, $n); });
function t($f) {
    try {
        $f();
    } catch (Throwable $e) {
        do {
            echo get_class($e), ': ', $e->getMessage(), "\n";
        } while ($e = $e->getPrevious());
    }
    echo "--\n";
}
class C {
    public static $s = 1;
    public static int $t = 2;
    public int $i = 3;
    public $p;
    public readonly int $r;
    function __set($n, $v) { echo "set $n\n"; }
    function __get($n) { echo "get $n\n"; return 5; }
}
class D {
    public int $i;
    public ?int $n = 4;
}
t(function() { try { C::$t = $u; } finally { var_dump(C::$t); } });
t(function() { try { C::$t += $u; } finally { var_dump(C::$t); } });
t(function() { try { C::$s += $u; } finally { var_dump(C::$s); } });
t(function() { $c = new C; try { $c->i = $u; } finally { var_dump($c->i); } });
t(function() { $c = new C; try { $c->i += $u; } finally { var_dump($c->i); } });
t(function() { $c = new C; try { $c->i %= $u; } finally { var_dump($c->i); } });
t(function() { $c = new C; try { $c->zz = $u; } finally { var_dump($c->i); } });
t(function() { $c = new C; try { $c->zz += $u; } finally { var_dump($c->i); } });
t(function() { $c = new C; try { $c->p = $u; } finally { var_dump($c->p); } });
t(function() { $c = new D; try { $c->i = $u; } finally { var_dump($c); } });
t(function() { $c = new D; try { $c->n = $u; } finally { var_dump($c); } });
t(function() { $c = new D; try { $c->n += []; } finally { var_dump($c); } });
t(function() { $c = new C; try { $c->i += []; } finally { var_dump($c->i); } });
t(function() { $c = new C; try { $c->i %= 0; } finally { var_dump($c->i); } });
t(function() { $c = new C; try { $c->i .= []; } finally { var_dump($c->i); } });
t(function() { $c = new C; try { $c->p += []; } finally { var_dump($c->p); } });
t(function() { $c = new C; $r = &$c->i; try { $r += []; } finally { var_dump($c->i); } });
t(function() { $c = new C; $r = &$c->i; try { $r %= 0; } finally { var_dump($c->i); } });
t(function() { $c = new C; $r = &$c->i; try { $r .= []; } finally { var_dump($c->i); } });
t(function() { $c = new C; $r = &$c->i; try { $r += "5x"; } finally { var_dump($c->i); } });
t(function() { $c = new C; $r = &$c->i; try { $r += $u; } finally { var_dump($c->i); } });
t(function() { $c = new C; $c->p = 1; $r = &$c->p; try { $r %= 0; } finally { var_dump($c->p); } });
t(function() { try { C::$t %= 0; } finally { var_dump(C::$t); } });
t(function() { try { C::$t += []; } finally { var_dump(C::$t); } });
t(function() { try { C::$s %= 0; } finally { var_dump(C::$s); } });
t(function() { $a = [1]; try { $a[0] %= 0; } finally { var_dump($a); } });
t(function() { $a = [1]; try { $a[0] += $u; } finally { var_dump($a); } });
t(function() { $a = ["1"]; try { $a[0] += $u; } finally { var_dump($a); } });
t(function() { $a = ["1"]; try { $a[0] = $u; } finally { var_dump($a); } });
t(function() { $a = ["1"]; try { $a[$v] = $u; } finally { var_dump($a); } });
t(function() { $a = ["1"]; try { $a[$v] = 1; } finally { var_dump($a); } });
t(function() { $a = ["1"]; try { $a[$v] += 1; } finally { var_dump($a); } });
t(function() { $a = ["1"]; try { $a[$v] += $u; } finally { var_dump($a); } });
t(function() { $a = ["1"]; try { $a[5] += $u; } finally { var_dump($a); } });
t(function() { $a = ["1"]; try { $a[5] .= 1; } finally { var_dump($a); } });
t(function() { $a = ["1"]; try { $a[] += $u; } finally { var_dump($a); } });
t(function() { $a = ["1"]; try { [$x, $a[]] = [$u, 1]; } finally { var_dump($a); } });
t(function() { try { $a[$v] = $u; } finally { var_dump($a); } });
t(function() { try { $a[1] = $u; } finally { var_dump($a); } });
t(function() { try { $a[] = $u; } finally { var_dump($a); } });
t(function() { try { $a[1][2] = $u; } finally { var_dump($a); } });
t(function() { try { $a[1][$v] = 5; } finally { var_dump($a); } });
t(function() { $a = "abc"; try { $a[$v] = $u; } finally { var_dump($a); } });
t(function() { $a = "abc"; try { $a[$v] = "x"; } finally { var_dump($a); } });
t(function() { $a = "abc"; try { $a[$v]; } finally { var_dump($a); } });
t(function() { $a = 5; try { $a[$v] = $u; } finally { var_dump($a); } });
t(function() { $a = 5; try { $a[0] = $u; } finally { var_dump($a); } });
t(function() { $a = 5; try { $a->x = $u; } finally { var_dump($a); } });
t(function() { $a = 5; try { $a->x += $u; } finally { var_dump($a); } });
t(function() { try { $a->x = 1; } finally { var_dump($a); } });
t(function() { try { $a->x->y = 1; } finally { var_dump($a); } });
t(function() { try { $a->x++; } finally { var_dump($a); } });
t(function() { try { $a->x[1] = 2; } finally { var_dump($a); } });
t(function() { try { unset($a->x); } finally { var_dump($a); } });
t(function() { try { unset($a[0]); } finally { var_dump($a); } });
t(function() { $a = 1; try { unset($a[$u]); } finally { var_dump($a); } });
t(function() { $a = "x"; try { unset($a[$u]); } finally { var_dump($a); } });
t(function() { $c = new stdClass; try { $c->x[1] = $u; } finally { var_dump($c); } });
t(function() { $c = new stdClass; try { $c->x[] = 1; } finally { var_dump($c); } });
t(function() { $c = new stdClass; try { $c->x['a']++; } finally { var_dump($c); } });
t(function() { try { $x ??= $u; } finally { var_dump($x); } });
t(function() { try { $a[1] ??= $u; } finally { var_dump($a); } });
t(function() { try { $x = &$a[$u]; } finally { var_dump($a); } });
t(function() { $a = "5"; try { $a++; $a = "x-"; $a++; } finally { var_dump($a); } });
t(function() { $a = 1.5; try { $a = $a % $u; } finally { var_dump($a); } });
t(function() { $a = 1.5; try { $a = $u % $a; } finally { var_dump($a); } });
t(function() { try { $a = $u << -1; } finally { var_dump($a); } });
t(function() { try { $a = $u / 0; } finally { var_dump($a); } });
t(function() { try { $a = $u / "abc"; } finally { var_dump($a); } });
t(function() { try { $a = $u / []; } finally { var_dump($a); } });
t(function() { try { $a = "5x" % 0; } finally { var_dump($a); } });
t(function() { try { $a = 1.5 % 0; } finally { var_dump($a); } });
t(function() { try { $a = 1.5 << -1; } finally { var_dump($a); } });
