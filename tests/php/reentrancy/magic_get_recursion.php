<?php
// Guards of __get, __set, __isset and __unset are per object, per name and per kind.
class G
{
    private $log = 0;
    function __get($n) { echo "get($n) "; if ($n === 'a') return $this->b; if ($n === 'b') return @$this->a ?? 'b-default'; if ($n === 'other') return (new self)->other2; if ($n === 'isset') return isset($this->isset) ? 1 : 0; if ($n === 'setter') { $this->setter = 5; return $this->setter; } return "v-$n"; }
    function __set($n, $v) { echo "set($n) "; if ($n === 'x') { $this->y = $v; } elseif ($n === 'y') { $this->x = $v; } else { $this->$n = $v; } }
    function __isset($n) { echo "isset($n) "; return $n === 'loop' ? isset($this->loop) : ($n === 'viaget' ? $this->viaget !== null : true); }
    function __unset($n) { echo "unset($n) "; unset($this->$n); if ($n === 'u1') unset($this->u2); }
}
$g = new G; foreach (['a', 'b', 'other', 'isset', 'setter', 'plain'] as $n) { echo $n, ' => '; var_dump($g->$n); }
$g = new G; $g->x = 1; var_dump($g); var_dump(isset($g->loop), isset($g->viaget), empty($g->plain)); unset($g->u1, $g->zz); echo "\n";
class Two { public $o; function __get($n) { echo static::class, '.', $n, ' '; return $this->o?->$n ?? 'end'; } }
class Three extends Two {} $a = new Two; $b = new Three; $a->o = $b; $b->o = $a; var_dump($a->deep);
class Thr { function __get($n) { if ($n === 'p') { try { return $this->q; } finally { echo 'after q '; } } throw new Exception("no $n"); } } $t = new Thr; try { $t->p; } catch (Exception $e) { echo $e->getMessage(), ' '; } try { $t->p; } catch (Exception $e) { echo $e->getMessage(), "\n";
}
class Del { public $p = 1; function __get($n) { global $d; $d = null; return 'still ' . get_class($this); }
function __destruct() { echo '~Del '; } } $d = new Del; unset($d->p); echo $d->p, "\n";
var_dump($d);
class SetDel { function __set($n, $v) { global $sd; $sd = null; echo 'set '; $this->$n = $v; }
function __destruct() { echo '~SetDel '; } } $sd = new SetDel; $sd->x = new ArrayObject([1]); var_dump($sd);
class GenGet { function __get($n) { return (function () use ($n) { yield $n; yield $this->$n ?? 'inner'; })(); } } foreach ((new GenGet)->foo as $v) echo is_object($v) ? get_class($v) : $v, ' '; echo "\n";
class Grow { private array $p = []; function &__get($n) { for ($i = 0; $i < 20; $i++) $this->p["$n$i"] = $i; $this->p[$n] ??= []; return $this->p[$n]; } } $gr = new Grow; $gr->list[] = 1; $gr->list[$gr->list[0]] = $gr->other; echo json_encode($gr->list), "\n";
