<?php
// What is read, refused and told in which order when places are written or unset.
$n = null; $i = 5; $f = false;
unset($n[$u1][2]); 
try { unset($i[$u2][2]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
unset($f[$u3][2]);
unset($n[$u4]);
try { unset($i[$u5]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
unset($f[$u6]);
unset($und[$u7][3]);
unset($und[$u8]);
$s = 'abc';
try { unset($s[$u9][3]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
unset($n->{$u10}[2]);
unset($n[$u11]->x[2]);
$s .= 1;
$s[-5] = $v1;
try { $s[$v2] = $v3; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $s['x'] = $v4; } catch (Error $e) { echo $e->getMessage(), "\n"; }
class Plain {}
$b = new Plain($v5);
$b = new Plain($v5, 1 + $v6);
function &plain() { $b = new Plain($v7); return $b; }
plain();
class ByRef { function __construct(&$x, &$y) {} }
try { new ByRef(fn() => 1, $made); } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump(isset($made), (function () { return get_defined_vars(); })());
class InStatic { static function m() { $this->p = print('evaluated'); } }
try { InStatic::m(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
class InNames { function m() { $h = &$h->{([] ?? '')}[1]; } }
function typed(int|false ...$x) {}
try { typed(1e3, ''); } catch (TypeError $e) { echo $e->getTraceAsString(), "\n"; }
try { ['\\', 'm3'](); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { var_dump((10 ** 2147483647) | ((object) [1])); } catch (Error $e) { echo $e->getMessage(), "\n"; }
set_error_handler(function ($n, $m) { throw new ErrorException($m, $n); });
function chained($f) { try { $f(); } catch (Throwable $t) { echo $t::class, ': ', $t->getMessage(), ' <- ', $t->getPrevious()?->getMessage(), "\n"; } }
chained(function () { count($u); });
chained(function () { $s = 'abc'; $s[0] = $u; });
chained(function () { $k = []; return [$k => $u]; });
$added = null;
chained(function () use (&$added) { unset($added); $added[] &= 1; });
