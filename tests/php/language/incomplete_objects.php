<?php
// Objects of classes that are not there: what they hold is kept, and using it is told.
$z = unserialize('O:1:"A":1:{s:1:"p";i:5;}');
function t($f){ try { $r = $f(); is_object($r) ? print_r($r) : var_dump($r); } catch (Error $e) { echo get_class($e),": ", $e->getMessage(), "\n"; } }
t(fn() => $z->p);
t(fn() => $z->q);
t(fn() => isset($z->p));
t(fn() => empty($z->p));
t(fn() => property_exists($z, 'p'));
t(fn() => $z->p = 1);
t(function() use ($z) { unset($z->p); });
t(fn() => $z->m());
t(fn() => $z->p .= 1);
t(fn() => $z->p++);
t(function() use ($z) { $a = &$z->p; });
t(function() use ($z) { $z->p[] = 1; });
t(fn() => $z->p ?? 7);
t(fn() => method_exists($z, 'm'));
t(fn() => call_user_func([$z, 'm']));
t(fn() => (array)$z);
t(fn() => is_object($z));
t(fn() => get_class($z));
foreach ($z as $k => $v) { echo "$k=>$v\n"; }
$y = unserialize('O:22:"__PHP_Incomplete_Class":1:{s:1:"a";i:1;}');
print_r($y);
t(fn() => $y->a);
t(fn() => new __PHP_Incomplete_Class);
$n = new __PHP_Incomplete_Class; t(fn() => $n->x = 1);
t(fn() => $n->x);
t(fn() => clone $z);
t(fn() => serialize($z));
