<?php
// Where there may be no $this it is asked for before names and keys inside of it are evaluated.
function f() { $a = 1; $a ^= $this->$h[1]; }
function g1($f) { static $n; echo ++$n, ": "; try { $f(); } catch (Error $e) { echo $e->getMessage(), "\n"; } }
g1(function() { (static function() { $a ^= $this->$h[1]; })(); });
g1(function() { (static function() { $this->{$h}; })(); });
g1(function() { (static function() { $this->$h = 2; })(); });
g1(function() { (static function() { $this->$h[$q] = $z; })(); });
g1(function() { (static function() { $this->$h($z); })(); });
g1(function() { (static function() { $this->$h->m($z); })(); });
g1(function() { (static function() { isset($this->$h); })(); });
g1(function() { (static function() { unset($this->$h); })(); });
g1(function() { (static function() { $this->$h ??= $z; })(); });
g1(function() { (static function() { $this->$h .= $z; })(); });
g1(function() { (static function() { $this->$h++; })(); });
g1(function() { (static function() { $this->x[$h]; })(); });
g1(function() { (static function() { $this->x[$h] = $z; })(); });
g1(function() { (static function() { [$this->$h, $this->x] = $z; })(); });
g1(function() { (static function() { foreach ([1] as $this->$h) {} })(); });
g1(function() { (static function() { $this[$h]; })(); });
g1(function() { (static function() { $this[$h] = $z; })(); });
g1(function() { (static function() { $this->x[f2()]; })(); });
g1(function() { (static function() { $this->{f2()}; })(); });
g1(function() { (static function() { $this->{f2()} = f2(); })(); });
g1(function() { (static function() { $r = &$this->{f2()}; })(); });
g1(function() { (static function() { f2($this->{f2()}); })(); });
g1(function() { (static function() { f3($this->{f2()}); })(); });
function f2() { echo "f2 "; return 'x'; }
function f3(&$a) { echo "f3 "; return 'x'; }
function h() { var_dump($this->$h[1]); }
g1(fn() => h());
function h2() { var_dump($this->$h); } g1(fn() => h2());
function h3() { var_dump($this->x[$h]); } g1(fn() => h3());
function h4() { $this->$h = $z; } g1(fn() => h4());
function h5() { $this->$h(); } g1(fn() => h5());
class S { static function m() { var_dump($this->$h[1]); } static function m2() { var_dump($this->$h); } static function m3() { $this->$h = $z; } }
g1(fn() => S::m()); g1(fn() => S::m2()); g1(fn() => S::m3());
try { $a ^= $this->$h[1]; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $a ^= $this->$h; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->$h = $z; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->x[$h]; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->$h->x; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->$h(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
