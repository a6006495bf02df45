<?php
// sprintf of a literal that has nothing but %s and %d is a concatenation: no call in traces, and variables are read when all arguments are evaluated.
class T { public $n = "t"; function __toString() { echo "str "; return $this->n; } function __destruct() { echo "~"; } }
set_error_handler(function ($n, $m, $f, $l) { echo "[$m $l] "; return true; });
function f() { $t = new T; echo sprintf("%s %s|", $t, $t->n = "u"), sprintf("%s %s|", $q, $q = 5), sprintf("%s %s|", $a = 1, $a = 2), sprintf("%s %s|", $a, $a = 3), sprintf("%d %s|", $a, $a = 4), sprintf("%d %s|", "5x", $zz), sprintf("%s %d|", [], [1]), sprintf("%d %d|", $u1, $u2), sprintf("%s %d|", $u1, $u2), sprintf("%d %s|", $u1, $u2); echo sprintf("%s %d|", new T, new stdClass); }
f();
echo "\n", sprintf("abc%%"), sprintf("%%"), sprintf(""), sprintf("%s", "x"), sprintf("%d", "12abc"), sprintf("%s%s", 1.0, null), sprintf("%d", 1e30), sprintf("%s", true), sprintf("a%sb%dc", "é", -5), "\n";
foreach (["12abc", 1e30, 1.0, null, true, false, [], [1], 1.9, "1e3", INF, NAN, "abc", PHP_INT_MIN] as $v) echo sprintf("%d|%s;", $v, $v);
echo "\n";
sprintf("%s", print("x")); sprintf("%s %d", new T, 5);
try { echo sprintf("%s %s\n", new stdClass, print("after")); } catch (Error $e) { echo $e->getTraceAsString(), $e->getLine(), "\n"; }
try { echo sprintf("%d %s %s\n",
  new stdClass, print("after"),
  new stdClass); } catch (Error $e) { echo $e->getTraceAsString(), $e->getLine(), "\n"; }
try { echo sprintf("%d %s\n", throw new Exception("e"), 1); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
try { echo sprintf("%s %s\n", new T, throw new Exception("e")); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
function g() { yield sprintf("%s-%s", yield 1, yield 2); } $g = g(); $g->current(); $g->send("a"); echo $g->send("b"), "\n";
echo sprintf("%s-%s-%s", sprintf("%d", 5), sprintf("%s", sprintf("%s!", "in")), "x") . sprintf("%s", 1 + 2), "\n";
$s = "pre"; $s .= sprintf("%s%s", $s, $s); echo $s, "\n"; $x = $s; $s = sprintf("%s", $s); $s .= "!"; echo $x, $s, "\n";
try { echo sprintf("%s %s", 1); } catch (Error $e) { echo $e->getMessage(), "\n"; } try { echo sprintf("%s", 1, 2), sprintf("%5d", 2), sprintf('%1$s', "q"), sprintf("%s", ...["w"]), sprintf(format: "%s", values: 1); } catch (Error $e) { echo $e->getMessage(), "\n"; }
const C = "x"; class K { const A = 'k'; public $p = 1; static $s = [1]; function m() { return sprintf('%s::%s %d %s', self::class, static::A, $this->p, self::$s[0]); } } echo (new K)->m(), sprintf('%s%s', C, __LINE__), "\n";
var_dump(sprintf('%s', 'a') === 'a', sprintf("%d", 3), strlen(sprintf("%s", 55)), sprintf("%s", new T) ?: 1);
function &r(&$x) { return $x; } $y = 5; echo sprintf("%s %d", r($y), r($y)), "\n"; $ref = &$y; echo sprintf("%s %d", $ref, $ref), "\n";
for ($i = 0; $i < 3; $i++) { $l = sprintf("%s:%d", $i, $i * 1.5); echo $l, " "; } echo "\n";
if (sprintf("%s", $i)) echo "yes\n"; echo sprintf("%s", $GLOBALS['i']), sprintf("%s", fn() => 1 ? 'c' : 'd' ) ?? 5;
