<?php
// stream_select() over streams of user classes, which stream_cast() gives a descriptor, and over data in memory.

class W { public $context; static $cast; static $how = [];
 function stream_open($p, $m, $o, &$op) { return true; }
 function stream_read($n) { return "data"; } function stream_eof() { return false; } function stream_write($d) { return strlen($d); }
 function stream_cast($as) { echo "stream_cast($as)\n"; return (self::$cast)($as); } }
class N { public $context; function stream_open($p, $m, $o, &$op) { return true; } function stream_read($n) { return "data"; } function stream_eof() { return false; } }
stream_wrapper_register('ww', 'W'); stream_wrapper_register('nn', 'N');
function sel($r, $w = null, $e = null) { try { var_dump(stream_select($r, $w, $e, 0, 1000)); var_dump($r === null ? null : array_keys($r), $w === null ? null : array_keys($w)); } catch (Error $x) { echo get_class($x), $x->getMessage(), "\n"; } }
[$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$f = fopen('ww://x', 'r+');
W::$cast = fn() => $a; sel([$f]); sel(null, [$f]); fwrite($b, "x"); sel(['k' => $f]); sel([$f], [$f], [$f]);
W::$cast = fn() => false; sel([$f]);
W::$cast = fn() => null; sel([$f]);
W::$cast = fn() => 5; sel([$f]);
W::$cast = fn() => fopen('php://memory', 'r'); sel([$f]);
W::$cast = fn() => $f; sel([$f]);
W::$cast = fn() => stream_context_create(); sel([$f]);
W::$cast = fn() => $a; fread($a, 5); sel([$f]); fgetc($f); sel([$f]); 
$g = fopen('ww://y', 'r+'); W::$cast = fn() => $f; sel([$g]);
$n = fopen('nn://x', 'r'); sel([$n]);
foreach (['php://temp', 'php://memory', 'php://temp/maxmemory:2', 'data:,abc'] as $u) { echo "$u\n"; $t = fopen($u, 'r+'); @fwrite($t, 'hello world'); rewind($t); sel([$t]); sel(null, [$t]); sel([$t], [$t], [$t]); var_dump(fread($t, 20)); }
var_dump(stream_isatty($f), stream_isatty(fopen('php://temp', 'r+')));
$p = proc_open(['true'], [0 => $f, 1 => ['pipe', 'w']], $pipes); var_dump(is_resource($p));
$t = fopen('php://temp', 'w+'); fwrite($t, "one\ntwo\n"); rewind($t);
$p = proc_open(['cat'], [0 => $t, 1 => ['pipe', 'w']], $pipes); var_dump(stream_get_contents($pipes[1])); fclose($pipes[1]); proc_close($p);
$p = proc_open(['true'], [0 => fopen('php://memory', 'r')], $pipes); var_dump($p);
