<?php
class S { function __toString() { echo "TS "; return "s"; } }
$a=[1]; $b = $a . $a; var_dump($b); $a .= $a; var_dump($a);
$o = new S; $b = $o . $o; var_dump($b); $o .= $o; var_dump($o);
$a=[1]; $r=&$a; $b = $a . $a; $b = $a . $r; $a .= $r; var_dump($a);
$n = null; $n .= $n; $u .= $u; $f = 1.5; $f .= $f; var_dump($n,$u,$f);
class P { public $p = [1]; } $p = new P; $p->p .= $p->p; $x=[[1]]; $x[0] .= $x[0];
$s = "{$a}{$b}"; $a=[1]; $s="$a$a"; $s = $a . "x" . $a; $s = "x$a" . $a;
$a=[2]; $a = $a . $a; $a=[3]; $a = "$a$a";

// By its name a variable is itself as well.
$named = [1];
$GLOBALS['named'] .= $named;
var_dump($named);
$named = [1];
$name = 'named';
$$name .= $named;
var_dump($named);
$named = [1];
$reference = &$named;
$GLOBALS['named'] .= $named;
var_dump($named);
