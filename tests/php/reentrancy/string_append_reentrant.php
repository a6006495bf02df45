<?php
// .= while the right-hand side reads, changes or unsets the string that grows.
class T { function __construct(private $f) {}
function __toString(): string { return ($this->f)(); } }
$s = 'abc'; $s .= new T(function () { global $s; return strrev($s); }); var_dump($s);
$s = 'abc'; $s .= new T(function () { global $s; $s .= 'inner'; return 'X'; }); var_dump($s);
$s = 'abc'; $s .= new T(function () { global $s; unset($s); $GLOBALS['s'] = 'fresh'; return 'X'; }); var_dump($s);
$s = 'abc'; $s .= $s . new T(function () { global $s; $s = 'new'; return $s; }) . $s; var_dump($s);
$s = str_repeat('x', 100); $t = $s; for ($i = 0; $i < 3; $i++) { $s .= $s; $u = $s; } var_dump(strlen($s), strlen($t), $u === $s);
$a = ['s' => 'abc']; $a['s'] .= new T(function () { global $a; $b = $a; $a['s'] = 'replaced'; return $b['s']; }); var_dump($a);
$o = new stdClass; $o->s = 'abc'; $o->s .= new T(function () { global $o; $o->s .= 'inner'; return 'Y'; }); var_dump($o);
class St { static $s = 'abc'; } St::$s .= new T(function () { St::$s = 'static'; return 'Z'; }); var_dump(St::$s);
function loc() { $s = 'loc'; $f = function () use (&$s) { $s .= '+in'; return '!'; }; $s .= $f(); $s = $s . $f() . $s; return $s; } var_dump(loc());
$s = 'q'; $r = &$s; $r .= $s .= $r; var_dump($s);
$x = 'a'; $y = $x .= 'b'; $x .= 'c'; var_dump($x, $y);
$k = 'key'; $arr[$k] = 1; $k .= 'x'; $arr[$k] = 2; var_dump($arr);
$parts = ['a', 'b']; $out = ''; foreach ($parts as $p) { $out .= $p; $parts[] = $out; } var_dump($out, $parts);
