<?php
function f() { $x = [PHP_INT_MAX => 1]; $x[] = $e; }
try { f(); } catch (Error $e) { echo $e->getMessage(); }
function g() { $x = [PHP_INT_MAX => 1, $e]; }
try { g(); } catch (Error $e) { echo $e->getMessage(); }
$x = [PHP_INT_MAX => 1];
set_error_handler(function ($n, $m) use (&$x) { echo $m, "\n"; $x = 5; });
try { $x[] = $uu; } catch (Error $e) { echo $e->getMessage(); }
var_dump($x);
restore_error_handler();
set_error_handler(function ($n, $m) { echo $m, "\n"; var_dump($GLOBALS['z'] ?? 'unset'); });
$z[] = $uu; var_dump($z);
$z = null; $z[] = $uu; var_dump($z);
$z = false; $z[] = $uu; var_dump($z);
$z = 5; try { $z[] = $uu; } catch (Error $e) { echo $e->getMessage(); } var_dump($z);
$z = ''; try { $z[] = $uu; } catch (Error $e) { echo $e->getMessage(); } var_dump($z);
$z = new stdClass; try { $z[] = $uu; } catch (Error $e) { echo $e->getMessage(); } var_dump($z);
$z = [1]; $z[] = $uu; var_dump($z);
restore_error_handler();
set_error_handler(function ($n, $m) { echo $m, "\n"; $GLOBALS['z'] = 1; });
foreach ([null, false, [], [1]] as $v) { $z = $v; try { $z[] = $uu; } catch (Error $e) { echo $e->getMessage(); } var_dump($z); }
restore_error_handler();
set_error_handler(function ($n, $m) { echo $m, "\n"; $GLOBALS['z'][] = 1; });
foreach ([null, false, [], [1]] as $v) { $z = $v; try { $z[] = $uu; } catch (Error $e) { echo $e->getMessage(); } var_dump($z); }
