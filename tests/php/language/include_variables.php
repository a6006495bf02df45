<?php
// Variables of functions and generators that include files, with and without variables of their own.
function f() { $local = 5; include __DIR__ . '/inc/only_a_class.php'; include __DIR__ . '/inc/without_variables.php'; var_dump(get_defined_vars(), $fromk); $x = 'local'; var_dump($$x); extract(['z' => 4]); var_dump($z); return $local; }
var_dump(f());
var_dump(include __DIR__ . '/inc/returns_its_own.php', $fromk);
function g() { $a = yield include __DIR__ . '/inc/returns_its_own.php'; yield get_defined_vars(); include __DIR__ . '/inc/without_variables.php'; yield compact('a', 'fromk'); eval('$q = 9;'); return $q; }
$g = g(); var_dump($g->current(), $g->send(3)); $g->next(); var_dump($g->current()); $g->next(); var_dump($g->getReturn());
var_dump($seen);
function h($p) { $f = fn() => include __DIR__ . '/inc/returns_its_own.php'; return [$f(), compact('p')]; }
var_dump(h([1]));
function anonymous() { static $i = 0; return eval(sprintf('return new class { public $p%s; };', ++$i)); }
var_dump(anonymous());
var_dump(anonymous());
$o = new stdClass;
for ($i = 0; $i < 2; $i++) {
    $o->{90} = ($o->{90} ?? 0) + 1;
    $o->{0} = 0;
}
var_dump($o);
