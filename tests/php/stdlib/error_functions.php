<?php
// error_log, trigger_error levels, error_get_last, display settings, log files, suppressed and nested.
require __DIR__ . '/inc/show.php';
$f = tempnam(sys_get_temp_dir(), 'log');
show('to file', error_log("direct message\n", 3, $f), file_get_contents($f));
ini_set('error_log', $f); ini_set('log_errors', '1'); restore_error_handler(); ini_set('display_errors', '0');
file_put_contents($f, '');
echo $undefined; trigger_error('user warning', E_USER_WARNING); trigger_error('user notice'); @trigger_error('silenced', E_USER_WARNING); error_log("via log"); 
$log = preg_replace(['/^\[.*?\] /m', '~ in \S+ on~'], ['[T] ', ' in FILE on'], file_get_contents($f)); echo $log;
show('last', error_get_last()['message'], error_get_last()['type'] === E_USER_WARNING); error_clear_last(); show('cleared', error_get_last());
ini_set('display_errors', '1'); ini_set('log_errors', '0'); ini_set('error_prepend_string', '<pre>'); ini_set('error_append_string', '</pre>'); echo $shown; ini_set('error_prepend_string', ''); ini_set('error_append_string', ''); ini_set('html_errors', '1'); echo $html; ini_set("html_errors", "0");
error_reporting(E_ALL & ~E_WARNING); echo $hidden; show('reporting', error_reporting(), error_get_last()['message']); error_reporting(E_ALL); ini_set('ignore_repeated_errors', '1'); for ($i = 0; $i < 3; $i++) echo $repeated; ini_set('ignore_repeated_errors', '0'); show('levels', array_map(fn($l) => (function () use ($l) { try { return @trigger_error('x', $l); } catch (ValueError $e) { return $e->getMessage(); } })(), [E_USER_NOTICE, E_USER_DEPRECATED, E_NOTICE, E_WARNING, 0, -1])); show('user_error', @user_error('alias', E_USER_NOTICE)); unlink($f); set_error_handler(fn() => true, 0); echo $maskZero; restore_error_handler(); $prev = set_error_handler(fn($n, $m) => print("[1:$m]")); set_error_handler(fn($n, $m) => print("[2:$m]") && restore_error_handler()); echo $x1, $x2, "\n"; restore_error_handler(); show('exception handler', set_exception_handler(fn() => 1), set_exception_handler(null) instanceof Closure); show('backtrace', array_column((function () { return debug_backtrace(); })(), 'function')); try { throw new ErrorException('ee', 3, E_USER_ERROR, 'f.php', 9, new Exception('p')); } catch (ErrorException $e) { show('ErrorException', $e->getMessage(), $e->getCode(), $e->getSeverity(), $e->getFile(), $e->getLine(), $e->getPrevious()->getMessage()); }
