<?php
function t($f) { try { var_dump($f()); } catch (Throwable $e) { do echo get_class($e), ': ', $e->getMessage(), "\n"; while ($e = $e->getPrevious()); } }
set_error_handler(function ($n, $m) { throw new ErrorException($m, $n); });
t(function () { $x = [1]; try { $x[] = $e; } catch (Throwable $t) { } return $x; });
t(function () { $x = [1]; try { $x['a'] = $e; } catch (Throwable $t) { } return $x; });
t(function () { $x = [1]; try { $x[0] = $e; } catch (Throwable $t) { } return $x; });
t(function () { $x = [PHP_INT_MAX => 1]; $x[] = $e; });
t(function () { $x = [PHP_INT_MAX => 1]; $x[][2] = $e; });
t(function () { $x = [PHP_INT_MAX => 1]; $x[] .= $e; });
t(function () { $x = [PHP_INT_MAX => 1, $e]; });
t(function () { $x = [PHP_INT_MAX => 1, $e => 2]; });
t(function () { $x = [PHP_INT_MAX => 1, 2 => $e]; });
t(function () { unset($d->$f[1]); });
t(function () { unset($d->$f); });
t(function () { unset($d->$f->x); });
t(function () { $d = new stdClass; unset($d->$f[1]); });
t(function () { $d = 5; unset($d->$f[1]); });
t(function () { unset($d[$f][1]); });
t(function () { unset($d[$f]); });
t(function () { unset($d[1][$f]); });
restore_error_handler();
class D { public $n; function __construct($n) { $this->n = $n; } function __destruct() { echo "~$this->n\n"; } }
t(function () { if (isset($h[new D(1)])) {} else echo "after\n"; });
t(function () { if (empty($h[new D(1)])) echo "after\n"; });
t(function () { if (isset($h[1][new D(1)])) {} else echo "after\n"; });
t(function () { $h = [1]; if (isset($h[new D(1)])) {} else echo "after\n"; });
t(function () { $h = 5; if (isset($h[new D(1)])) {} else echo "after\n"; });
t(function () { $h = 'abc'; if (isset($h[new D(1)])) {} else echo "after\n"; });
t(function () { $x = $h[new D(1)] ?? 5; echo "after\n"; });
t(function () { $x = $h[new D(1)]; echo "after\n"; });
t(function () { $x = isset($h[(new D(1))->n]); echo "after\n"; });
t(function () { $h = 5; $x = $h[new D(1)]; echo "after\n"; });
t(function () { unset($h[new D(1)]); echo "after\n"; });
t(function () { $h = null; unset($h[new D(1)]); echo "after\n"; });
