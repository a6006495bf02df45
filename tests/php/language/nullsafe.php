<?php
// ?-> short-circuits the whole chain, arguments included.
class N { public ?N $next = null; public $v = 'v'; public $arr = ['k' => 'kv']; function self() { return $this; } function nul() { return null; } static $st = 's'; public $cb; }
function side($x) { echo "side($x) "; return $x; }
$n = null; $o = new N;
var_dump($n?->v, $n?->a->b->c, $n?->m(side(1))->x(side(2)), $n?->arr['k'][side(3)], $o?->v, $o?->next?->v, $o->next?->next->next);
var_dump($o?->nul()?->foo(side(4)), $o->self()?->self()->v, isset($n?->a), isset($o?->next?->v), empty($n?->a), $n?->a ?? 'dflt', isset($o?->arr['k']));
try { var_dump($o->nul()->x()); } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump($undef?->x); var_dump($o->nul()->prop); var_dump((5)?->prop ?? 'int');
var_dump("{$n?->v}|$o?->v|$n?->v"); $f = fn() => $n?->v; var_dump($f());
foreach ($n?->list ?? [1, 2] as $x) echo $x; echo "\n";
var_dump($n?->{'dyn' . side('d')}, $o?->{'v'});
var_dump(!$n?->v, -($n?->v), ($n?->a)['x'] ?? 'paren', $n?->a . 'concat', [$n?->a, 'k' => $o?->v]);
class A { public $log = []; function __get($x) { $this->log[] = $x; return null; } } $a = new A; var_dump($a?->foo?->bar, $a->log);
function retn(): ?N { return null; } var_dump(retn()?->v, (clone $o)?->v, (new N)?->self()?->v);
var_dump($n); try { throw new Exception($n?->msg ?? 'none'); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
$o->cb = fn($x) => $x * 2; var_dump(($o?->cb)(4), $n?->cb?->call($o, 1));
