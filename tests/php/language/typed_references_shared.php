<?php
// References bound to several typed properties must satisfy all of them, with the same result of conversion.

class A { public int $i = 1; public ?int $ni = 1; public float $f = 1.5; public string $s = 's'; public int|string $is = 1; public static int $st = 1; public iterable|bool $it = []; }

function attempt(callable $f) {
    try {
        var_dump($f());
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

$a = new A;
$b = new A;
$r = &$a->i;
attempt(function () use (&$r) { $r = '12'; return $r; });
attempt(function () use (&$r) { $r = 'x'; return $r; });
attempt(function () use (&$r) { $r = null; return $r; });
$b->ni = &$r;
attempt(function () use (&$r) { $r = null; return $r; });
attempt(function () use (&$r) { $r = 4.0; return $r; });
attempt(function () use (&$r) { $r = PHP_INT_MAX; $r++; return $r; });
attempt(function () use ($b, &$r) { $b->f = &$r; });
attempt(function () use ($b, &$r) { $b->s = &$r; });
attempt(function () use ($b, &$r) { $b->is = &$r; return $b->is; });
attempt(function () use (&$r) { $r = '7'; return $r; });
attempt(function () use (&$r) { $r .= 'x'; return $r; });
attempt(function () use (&$r) { $r = 5; settype($r, 'array'); return $r; });
attempt(function () use (&$r) { preg_match('/a/', 'a', $r); return $r; });

$c = new A;
$t = &$c->is;
$d = new A;
$d->s = '5';
$u = &$d->s;
attempt(function () use ($c, &$u) { $c->is = &$u; $u = 6; return $u; });

$v = &A::$st;
attempt(function () use (&$v) { $v = 'no'; });
attempt(function () use (&$v) { $v = true; return $v; });
attempt(function () use (&$v) { [$v, $w] = ['9', 2]; return $v; });
attempt(function () use (&$v) { foreach (['3', 'z'] as $v); return $v; });
var_dump(A::$st);

