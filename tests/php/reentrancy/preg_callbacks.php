<?php
// preg_replace_callback: recursion, throwing, changing the subject, odd returns.
$s = 'a1b2'; echo preg_replace_callback('/\d/', function ($m) use (&$s) { $s = 'changed'; return $m[0] * 2; }, $s), $s, "\n";
function nest($t, $d = 0) { return preg_replace_callback('/\(([^()]*(?:\((?1)\)[^()]*)*)\)/', fn($m) => '[' . nest($m[1], $d + 1) . ']', $t); } echo nest('x(a(b)c(d(e)))y(z)'), "\n";
try { preg_replace_callback('/./', fn($m) => throw new Exception("at {$m[0]}"), 'xyz'); } catch (Exception $e) { echo $e->getMessage(), "\n";
} echo preg_replace_callback('/x/', fn($m) => preg_replace_callback('/./', fn($n) => $n[0] . '!', 'in'), 'axbx'), "\n";
echo preg_replace_callback('/\w/', fn($m) => null, 'abc'), '|', preg_replace_callback('/\w/', fn($m) => 5, 'abc'), '|', preg_replace_callback('/\w/', fn($m) => true, 'ab'), "\n";
set_error_handler(function ($n, $m) { echo "[$m] "; return true; }); echo preg_replace_callback('/b/', fn($m) => [1], 'abc'), "\n";
class T { function __toString(): string { return preg_replace('/o/', '0', 'obj'); } } echo preg_replace_callback('/b/', fn($m) => new T, 'abc'), "\n";
try { preg_replace_callback('/b/', fn($m) => new stdClass, 'abc'); } catch (Error $e) { echo $e->getMessage(), "\n";
} $c = 0; echo preg_replace_callback('/a/', function ($m) use (&$c) { $c++; preg_match('/(\d+)/', 'in 42', $mm); return $mm[1]; }, 'banana', 2, $cnt), $cnt, $c, "\n";
echo json_encode(preg_replace_callback('/\d/', function ($m) { static $n = 0; return ++$n; }, ['k' => '5a', 'l' => 'b6'])), "\n";
echo preg_replace_callback_array(['/a/' => function ($m) { return 'b'; }, '/b/' => fn($m) => 'c'], 'ab'), "\n";
try { preg_replace_callback_array(['/a/' => fn($m) => 'x', '/b/' => fn($m) => throw new Exception('second')], 'ab'); } catch (Exception $e) { echo $e->getMessage(), "\n";
} $arr = ['one', 'two']; echo json_encode(preg_replace_callback('/o/', function ($m) use (&$arr) { $arr = []; return '0'; }, $arr)), json_encode($arr), "\n";
echo preg_replace_callback('/(?<n>\d)(x)?/', fn($m) => json_encode($m), '1 2x', flags: PREG_UNMATCHED_AS_NULL), "\n";
echo preg_replace_callback('/(a)(b)?/', fn($m) => json_encode($m), 'a', flags: PREG_OFFSET_CAPTURE), "\n";
$f = new Fiber(fn() => preg_replace_callback('/./', fn($m) => Fiber::suspend($m[0]) . '.', 'xyz')); $v = $f->start(); while (!$f->isTerminated()) $v = $f->resume(strtoupper($v)); echo $f->getReturn(), "\n";
function &rr() { static $x = 'q'; return $x; } echo preg_replace_callback('/a/', 'rr_cb', 'aa'), "\n";
function rr_cb($m) { ob_start(); echo 'buffered'; return ob_get_clean(); } echo preg_last_error(), preg_last_error_msg(), "\n";
preg_replace_callback('/x/', function () { preg_match('/\xff/u', "\xff"); return ''; }, 'x'); echo preg_last_error(), "\n";
