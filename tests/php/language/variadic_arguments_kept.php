<?php
// What a variadic function does to the variable that has its arguments is not seen in traces; named arguments are.
function f3(...$x) { $x = 1; throw new Exception("x"); }
function f4($a, ...$x) { $x[] = 5; $a = 3; throw new Exception("x"); }
function f5($a, ...$x) { unset($x); unset($a); debug_print_backtrace();  var_dump(func_get_args()); }
function f6($a, ...$x) { $x = null;  echo "after\n"; }
class D { function __destruct() { echo "D\n"; } }
try { f3([], 2, 3); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
try { f4([], 2, 3); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
try { f4(a: [], x: 3); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
try { f4(1, 2, y: 3); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
f5(1,2,3);
f5(1,2,y:3);
f6(1, new D);
f6(1, x:new D);
function v(int ...$x) { $x = 7; throw new Exception("x"); }
try { v("1", "2"); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
function g(int ...$x) { yield $x; $x = 7; yield 1; throw new Exception("x"); }
try { foreach(g("1", "2") as $v) var_dump($v); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
function r(&...$x) { $x[0] = 7; throw new Exception("x"); }
try { $a = 1; r($a); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
try { call_user_func('f3', x: ''); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
function f0() {}
try { call_user_func('f0', x: ''); } catch (Error $e) { echo $e->getTraceAsString(), "\n"; }
try { call_user_func('f0', 1, x: ''); } catch (Error $e) { echo $e->getTraceAsString(), "\n"; }
try { call_user_func_array('f0', [1, 'x' => 2]); } catch (Error $e) { echo $e->getTraceAsString(), "\n"; }
try { (new ReflectionFunction('f0'))->invoke(1, x: 2); } catch (Error $e) { echo $e->getTraceAsString(), "\n"; }
try { $f = new Fiber('f0'); $f->start(1, x: 2); } catch (Error $e) { echo $e->getTraceAsString(), "\n"; }
