<?php
// Throws, catches, finally and destructors inside compiled loops.
class D { static $n = 0; function __destruct() { self::$n++; } }
function f($i) { if ($i % 97 === 0) throw new RuntimeException("e$i", $i); if ($i % 101 === 0) throw new TypeError("t$i"); return $i; }
function loop($n) { $s = $c = $fin = 0; for ($i = 1; $i <= $n; $i++) { try { $d = new D; $s += f($i); if ($i % 50 === 0) continue; if ($i === $n - 1) break; $s++; } catch (RuntimeException $e) { $c += $e->getCode(); } catch (TypeError $e) { $c--; } finally { $fin++; unset($d); } } return [$s, $c, $fin, D::$n]; }
echo json_encode(loop(3000)), "\n";
function nested($n) { $r = 0; foreach (range(1, $n) as $i) { try { try { if ($i % 3 === 0) throw new LogicException; $r += 1; } finally { if ($i % 5 === 0) throw new DomainException('inner'); $r += 10; } } catch (DomainException $e) { $r += $e->getPrevious() ? 1000 : 100; } catch (LogicException) { $r += 5; } } return $r; } var_dump(nested(1500));
function ret($n) { for ($i = 0; ; $i++) { try { if ($i === $n) return $i; } finally { if ($i % 1000 === 999) $i++; } } } var_dump(ret(2500));
function divs($n) { $s = $z = 0; for ($i = -$n; $i <= $n; $i++) { try { $s += intdiv(1000, $i) + 7 % $i; } catch (DivisionByZeroError $e) { $z++; } } return [$s, $z]; } echo json_encode(divs(1500)), "\n";
function undef($n) { $c = 0; for ($i = 0; $i < $n; $i++) { if ($i === 1800) unset($x); else $x = $i; $c += @$x ?? 5; } return $c; } var_dump(undef(2000));
function warn($n) { $a = [1]; $s = 0; for ($i = 0; $i < $n; $i++) $s += $a[$i === $n - 1 ? 9 : 0]; return $s; } set_error_handler(fn($n, $m) => throw new ErrorException($m)); try { warn(2000); } catch (ErrorException $e) { echo $e->getMessage(), ' ', count($e->getTrace()), "\n"; } restore_error_handler();
var_dump(@warn(2000));
function gen($n) { try { for ($i = 0; $i < $n; $i++) { try { $got = yield $i; if ($got) $i += $got; } catch (Exception $e) { $i += 10; } } return "sum"; } finally { echo 'gen-finally '; } } $g = gen(3000); $s = 0; foreach ($g as $k => $v) { $s += $v; if ($v === 500) $g->send(100); if ($v === 1000) { try { $g->throw(new Exception); } catch (Exception) { echo 'not caught'; } } } var_dump($s, $g->getReturn());
function deepThrow($n) { if ($n === 0) throw new OutOfRangeException('bottom'); try { return deepThrow($n - 1); } finally { $GLOBALS['unwound'] = ($GLOBALS['unwound'] ?? 0) + 1; } } for ($i = 0; $i < 20; $i++) try { deepThrow(100); } catch (OutOfRangeException $e) {} var_dump($unwound);
function typeErr(array $xs) { $n = 0; foreach ($xs as $x) try { $n += (fn(int $v): int => $v * 2)($x); } catch (TypeError $e) { $n--; } return $n; } var_dump(typeErr([...range(1, 1000), 'x', '5', null, [], 2.0]));
