<?php
// Writing through an undefined key while the handler rebinds the variable.
set_error_handler(function ($n, $m) { echo "[$m] "; $GLOBALS['a'] = 'replaced'; return true; });
$a = ['k' => 1]; $a[$undef] = 'v'; var_dump($a);
$a = []; $a['x'][$undef] = 1; var_dump($a);
$a = [1]; $a[] = $undef; var_dump($a);
$a = ['n' => null]; $a['n']['m'] = $undef; var_dump($a);
$a = ['c' => 1]; $a['c'] += $undef; var_dump($a);
$a = ['c' => 1]; $a['missing'] += 5; var_dump($a);
$a = ['c' => 1]; $a['missing']++; var_dump($a);
$a = ['c' => 1]; $a['missing'] .= 'x'; var_dump($a);
