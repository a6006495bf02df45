<?php
function f1() { $b = [0 => 1, (false ? -2 : $e) => isset($d[1.7]), 2 => $z]; }
f1();
function f2() { $f = false; $g = &$f; try { $f['b'] ^= $g; } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f); }
function f3() { $f = null; $g = &$f; try { $f['b'] ^= $g; } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f); }
function f4() { $f = null; $g = &$f; try { $f['b'] .= $g; } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f); }
function f5() { $f = null; $g = &$f; try { $f[] .= $g; } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f); }
function f6() { $f = null; $g = &$f; try { $f[1] = $g; } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f); }
f2(); f3(); f4(); f5();
class H { public $p { get => 5; } public $q { get { return $this->q; } set { $this->q = $value; } } public $r { &get { static $x = 1; return $x; } } }
function f7($p) { $o = new H; $c = 1; try { $o->$p = &$c; } catch (Error $e) { do echo $e->getMessage(), "\n"; while ($e = $e->getPrevious()); } var_dump($o); }
f7('p'); f7('q'); f7('r');
function f8() { $o = new H; $c = 1; try { $o->p = &$c; } catch (Error $e) { do echo $e->getMessage(), "\n"; while ($e = $e->getPrevious()); } var_dump($o); 
try { $o->q = &$c; } catch (Error $e) { do echo $e->getMessage(), "\n"; while ($e = $e->getPrevious()); } var_dump($o);}
f8();
