<?php
// Handlers that warn, replace themselves, restore, or run other handlers.
set_error_handler(function ($n, $m) { echo "[outer $m]"; echo $insideHandler; echo $second; return true; });
echo $a; echo "\n";
restore_error_handler();
set_error_handler(function ($n, $m) { echo "[h1 $m]"; set_error_handler(function ($n, $m) { echo "[h2 $m]"; return true; }); echo $fromH1; restore_error_handler(); return true; }); echo $b; echo $c; echo "\n";
restore_error_handler();
set_error_handler(function ($n, $m) { restore_error_handler(); echo "[once $m]"; return true; }); echo $d; echo @$e1; echo "\n";
set_error_handler(function ($n, $m) { static $depth = 0; if (++$depth > 3) return true; echo "[$depth"; trigger_error("again $depth", E_USER_NOTICE); echo ']'; return true; }); echo $f; echo "\n";
restore_error_handler();
set_error_handler(function ($n, $m) { echo "[eval "; eval('function fromHandler() { return 1; } echo fromHandler();'); include __DIR__ . '/inc/ok.php'; echo "]"; return true; }); echo $g; echo "\n";
restore_error_handler();
set_error_handler(function ($n, $m) { throw new ErrorException("thrown: $m"); }); try { try { echo $h; } finally { echo $i; } } catch (ErrorException $e) { for ($p = $e; $p; $p = $p->getPrevious()) echo $p->getMessage(), ' <- '; echo "\n";
} restore_error_handler();
set_error_handler(function ($n, $m) { ob_start(); echo debug_backtrace()[1]['function'] ?? 'main'; echo trim(ob_get_clean()), ' '; return true; }); function w() { return $undef; } w(); echo implode(',', array_map(fn($x) => $x . $nope, [1])), "\n";
restore_error_handler();
set_error_handler(function ($n, $m) { echo "<$m>"; unset($GLOBALS['arr']); $GLOBALS['arr'] = ['re' => 'made']; return true; }); $arr = ['x' => ['y' => 1]]; echo $arr['x']['zz'] ?? 'q', @$arr['nope']['deep'], json_encode($arr), "\n";
restore_error_handler(); class H { public $n = 0; function __invoke($no, $m) { $this->n++; global $hh; $hh = null; restore_error_handler(); return true; }
function __destruct() { echo "~H{$this->n}\n"; } } $hh = new H; set_error_handler($hh); echo $zz; echo "after\n"; set_error_handler(function ($n, $m) { yield 1; }); echo $gen ?? '', $undefg; echo "generator handler\n"; restore_error_handler(); set_error_handler('strlen'); try { echo $undefs; } catch (Error $e) { echo get_class($e), ' ', $e->getMessage(), "\n";
}
