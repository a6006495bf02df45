<?php
// Hooks that read and write themselves, other hooked properties, throw, unset the object, or suspend.
class H { public $log = []; public int $a = 1 { get { $this->log[] = 'get a'; return $this->a + $this->b; } set { $this->log[] = "set a $value"; $this->b = $value * 2; $this->a = $value; } } public int $b = 10 { get { $this->log[] = 'get b'; return $this->b; } set { $this->log[] = "set b $value"; if ($value > 100) throw new RangeException("b too big: $value"); $this->b = $value; } } public $self { get { global $h; $h = null; return get_class($this); } } public string $s = '' { set { global $h; $h = 'replaced'; $this->s = $value . '!'; } } public $rec { get => $this->helper(); }
function helper() { return isset($this->depth) ? 'inner' : $this->inner(); } public $depth = null; function inner() { $this->depth = 1; return 'outer+' . $this->rec; }
function __destruct() { echo '~H '; } }
$h = new H; echo $h->a, json_encode($h->log), "\n";
$h->log = []; $h->a = 5; echo $h->a, json_encode($h->log), "\n";
$h->log = []; $h->a += 3; echo json_encode($h->log), "\n";
try { $h->b = 1; $h->a = 60; } catch (RangeException $e) { echo $e->getMessage(), ' '; } echo $h->b, "\n";
unset($e); echo $h->rec, "\n";
echo $h->self, ' '; var_dump($h); $h = new H; $h->s = 'text'; var_dump($h); class Arr { public array $list = [] { &get { echo '[get]'; return $this->list; } } public array $copy = [1] { get { echo '[copy]'; return $this->copy; } } } $x = new Arr; $x->list[] = 1; $x->list['k']['d'] = 2; foreach ($x->list as $k => &$v) { if ($k === 0) { $x->list['added'] = 'in loop'; } } unset($v); echo json_encode($x->list), "\n";
try { $x->copy[] = 5; } catch (Error $e) { echo $e->getMessage(), "\n";
}
class Fib { public $v { get => Fiber::suspend('in hook'); } } $f = new Fiber(fn() => (new Fib)->v . '!'); echo $f->start(), ' '; $f->resume('resumed'); echo $f->getReturn(), "\n";
class Gen { public iterable $g { get { yield 1; yield $this; } } } foreach ((new Gen)->g as $q) echo is_object($q) ? 'obj' : $q, ' '; echo "\n";
class ErrH { public $u { get { return $undef; } } public $p = 0 { set { $this->p = $value[$undefkey]; } } } set_error_handler(fn($n, $m) => throw new ErrorException($m)); $eh = new ErrH; try { $eh->u; } catch (ErrorException $e) { echo $e->getMessage(), ' '; } try { $eh->p = []; } catch (ErrorException $e) { echo $e->getMessage(), ' '; } var_dump($eh->p); restore_error_handler(); class Cmp { public $c { get { static $n = 0; return ++$n; } } } $c1 = new Cmp; var_dump($c1 == new Cmp, isset($c1->c), $c1->c ?? 'd', $c1->c); class Par { public $v = 1 { get => $this->v; set { $this->v = $value; $this->notify(); } }
function notify() {} }
class Chi extends Par { function notify() { if ($this->v < 5) $this->v = $this->v + 1; } } $ch = new Chi; $ch->v = 2; echo $ch->v, "\n";
[$ch->v, $y] = [3, $ch->v]; echo $ch->v, $y, "\n";
foreach ([1, 9] as $ch->v) echo $ch->v, ' '; echo "\n";
