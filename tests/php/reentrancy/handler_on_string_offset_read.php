<?php
// Uninitialised string offsets with a handler that changes the string.
set_error_handler(function ($n, $m) { echo "[$m] "; $GLOBALS['s'] = 'changed in handler'; return true; });
$s = 'abc'; var_dump($s[10], $s);
$s = 'abc'; var_dump($s[1.5], $s);
$s = 'abc'; var_dump($s[0] . $s[20] . $s[1]);
$s = 'abc'; $s[5.7] = 'Z'; var_dump($s);
$s = 'abc'; $s[1] = 'long'; var_dump($s);
$s = 'abc'; $s[-10] = 'n'; var_dump($s);
set_error_handler(function ($n, $m) { echo "[$m] "; unset($GLOBALS['s']); return true; });
$s = 'abc'; $s[1.9] = 'Q'; var_dump($s ?? 'unset');
$s = 'abc'; $s[0] = 'more'; var_dump($s ?? 'unset');
set_error_handler(function ($n, $m) { throw new Exception($m); });
$s = 'abc'; try { $s[0] = 'two'; } catch (Exception $e) { echo $e->getMessage(), ' '; } var_dump($s);
try { $x = $s[9] . 'never'; } catch (Exception $e) { echo $e->getMessage(), "\n"; } var_dump(isset($x));
