<?php
// Unsetting elements inside of what is no array; false behind a reference is passed over without a word.
class P { public $f=false; public ?array $t=null; public static $s=false; }
echo "1\n"; $d=false; unset($d[1][1]); var_dump($d);
echo "2\n"; $d=false; unset($d[1]); var_dump($d);
echo "3\n"; $d=false; $r=&$d; unset($d[1][1]); var_dump($d);
echo "4\n"; $d=false; $r=&$d; unset($d[1]); var_dump($d);
echo "5\n"; $d=[false]; unset($d[0][1]); var_dump($d);
echo "6\n"; $d=[false]; unset($d[0][1][2]); var_dump($d);
echo "7\n"; $d=[]; unset($d[0][1][2]); var_dump($d);
echo "8\n"; $o=new P; unset($o->f[1]); unset($o->f[1][2]); var_dump($o);
echo "9\n"; unset(P::$s[1]); unset(P::$s[1][2]); var_dump(P::$s);
echo "10\n"; unset($u[1]); unset($u[1][2]); unset($u[1]->x); unset($u->x[1]); unset($u->x[1][2]); unset($u->x->y);var_dump(isset($u));
echo "11\n"; $d=false; try { unset($d->x); unset($d[1]->x); unset($d->x[1]); } catch (Error $e) { echo $e->getMessage(),"\n"; }
echo "12\n"; $d=null; unset($d->x); unset($d[1]->x);  unset($d->x[1]);  unset($d[1][2]);
echo "13\n"; foreach ([true, 5, 1.5, "abc", ""] as $d) { 
 foreach (['[1]','[1][2]','->x', '[1]->x','->x[1]','->x->y'] as $p) { echo json_encode($d),$p,": "; try { eval('unset($d'.$p.');'); var_dump($d); } catch (Error $e) { echo get_class($e),$e->getMessage(),"\n"; } }}
echo "14\n"; $d=false; foreach (['[[]][1]','[[]]','["a"][$u]','[$u][1]','[1.5][1]','[1][[]]'] as $p) { echo $p,": "; try { eval('unset($d'.$p.');'); var_dump($d); } catch (Error $e) { echo get_class($e),$e->getMessage(),"\n"; } }
$GLOBALS['fa']=false; unset($GLOBALS['fa'][1][2]); unset($GLOBALS['fa'][1]);
function f() { static $s=false; unset($s[1][2]); unset($s[1]); $n='q'; $q=false; unset($$n[1][2]); unset($$n[1]); }
f();
