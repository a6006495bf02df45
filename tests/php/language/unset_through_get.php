<?php
function t($f) { try { $f(); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
class C1 { function __get($n) { echo "__get $n\n"; return 5; } function f() { unset($this->p1[3]); }
 function g() { unset($this->p1[3][4]); } function h() { $this->p1[3] = 1; } function i() { $this->p1[3] .= 1; } function j() { $x = &$this->p1; } function k() { unset($this->p1->a); } }
foreach (['f', 'g', 'h', 'i', 'j', 'k'] as $m) t(fn() => (new C1)->$m());
