<?php
// Output callbacks that print, throw, start buffers, or end them.
ob_start(function ($b) { echo 'ignored inside'; return strtoupper($b); }); echo "printing callback\n"; ob_end_flush();
try { ob_start(function ($b) { throw new Exception('from callback'); }); echo 'lost?'; ob_end_flush(); echo "not reached\n"; } catch (Exception $e) { echo $e->getMessage(), ' level ', ob_get_level(), "\n";
}
set_error_handler(function ($n, $m) { fwrite(STDERR, ''); $GLOBALS['errs'][] = $m; return true; });

echo json_encode($errs ?? []), ob_get_level(), "\n";
$errs = [];
ob_start(function ($b) { return "<" . ($GLOBALS['undefinedkey'] ?? 'u') . $undef . ">"; }); echo 'warns'; ob_end_flush(); echo "\n", json_encode($errs), "\n";
$errs = [];
ob_start(function ($b) use (&$count) { $count++; return $b; }, 1); echo 'a'; echo 'b'; echo 'c'; ob_end_clean(); echo $count, "\n";
function nested() { ob_start(fn($b) => "(outer:$b)"); echo '1'; ob_start(fn($b) => "(inner:$b)"); echo '2'; ob_end_flush(); echo '3'; ob_end_flush(); } nested(); echo "\n";
class Buf { public $log = ''; function cb($b, $phase) { $this->log .= strlen($b) . ','; return ''; }
function __destruct() { echo "~Buf({$this->log})"; } } ob_start([new Buf, 'cb']); echo 'swallowed'; ob_flush(); echo 'more'; ob_end_flush(); echo "\n";
function gen() { ob_start(); echo 'in gen '; yield ob_get_contents(); echo 'still '; yield ob_get_clean(); } foreach (gen() as $v) { echo "<$v>"; } echo "\n";
ob_start(); try { echo 'partial'; throw new Exception('E'); } catch (Exception $e) { $c = ob_get_clean(); echo $c, '+', $e->getMessage(), "\n";
}
ob_start(function ($b) { return $b . (new class { function __toString() { return '{str}'; } }); }); echo 'obj'; ob_end_flush(); echo "\n";
$r = print_r(new class { public $p = 1; function __debugInfo() { return ['dbg' => ob_get_level()]; } }, true); echo preg_replace('/class@anonymous\S*/', 'anon', $r); echo json_encode($errs), ob_get_level(), "\n";
