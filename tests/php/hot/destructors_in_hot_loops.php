<?php
// Object lifetimes must stay exact in compiled code: order of destructors, temporaries, overwrites, breaks.
class D { public static string $log = ''; public static int $n = 0; function __construct(public $i) {} function __destruct() { self::$n++; if (strlen(self::$log) < 400) self::$log .= "{$this->i} "; } function self() { return $this; } function val() { return $this->i; } }
function log_() { $l = D::$log; $n = D::$n; D::$log = ''; D::$n = 0; return "$n: $l\n"; }
function overwrite($n) { for ($i = 0; $i < $n; $i++) { $x = new D($i); D::$log .= $i < 5 ? "|$i| " : ''; } return 'end '; } D::$log .= overwrite(1000); echo log_();
function temps($n) { $s = 0; for ($i = 0; $i < $n; $i++) { $s += (new D($i))->val() + (new D(-$i))->self()->val(); if ($i < 3) D::$log .= '; '; } return $s; } $s = temps(800); echo $s, ' ', log_();
function arrays($n) { for ($i = 0; $i < $n; $i++) { $a = [new D("a$i"), 'k' => new D("b$i")]; if ($i % 2) unset($a['k']); if ($i === $n - 1) return 'returned'; } } echo arrays(700), log_();
function args($n) { $f = function (D $d, ?D $e = null) { $d = null; return $e?->i; }; for ($i = 0; $i < $n; $i++) { $f(new D("p$i"), new D("q$i")); if ($i < 2) D::$log .= 'called '; } } args(600); echo log_();
function cond($n) { $c = 0; for ($i = 0; $i < $n; $i++) { $d = $i % 3 ? new D($i) : null; if ($d && $d->val() > 10) $c++; $d = $d ?? 'none'; } return $c; } echo cond(500), ' ', log_();
function brk() { foreach (range(1, 50) as $i) { $d = new D($i); foreach ([new D("x$i"), new D("y$i")] as $e) { if ($i === 3) break 2; if ($i === 2) continue 2; } } D::$log .= 'after '; return isset($e) ? $e->i : 'unset'; } for ($i = 0; $i < 40; $i++) $r = brk(); echo $r, ' ', log_();
function thr($n) { $c = 0; for ($i = 0; $i < $n; $i++) { try { $d = new D($i); [new D("l$i"), strlen($i === $n - 1 ? throw new Exception : 'x')]; } catch (Exception $e) { D::$log .= 'caught '; $c++; } } return $c; } echo thr(400), ' ', log_();
function gen($n) { for ($i = 0; $i < $n; $i++) { $d = new D($i); yield $d; } } $c = 0; foreach (gen(500) as $k => $d) { if ($k === 450) break; $c += $d->i; } unset($d); echo $c, ' ', log_();
function props($n) { $o = new stdClass; for ($i = 0; $i < $n; $i++) { $o->p = new D($i); $o->{"q" . $i % 3} = $o->p; } D::$log .= 'done '; return $o; } $o = props(300); echo log_(); unset($o); echo log_();
function retn($i) { $d = new D($i); return $i % 2 ? $d : $d->i; } for ($i = 0; $i < 600; $i++) { $r = retn($i); } echo log_(); unset($r);
function str($n) { $s = ''; for ($i = 0; $i < $n; $i++) $s = 'v' . (new D($i))->i . '-' . strlen($s); return $s; } log_(); echo str(500), ' ', log_();
function statics($n) { static $keep = []; for ($i = 0; $i < $n; $i++) { $keep[$i % 4] = new D($i); } return count($keep); } echo statics(300), ' ', log_();
