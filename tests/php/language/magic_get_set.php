<?php
// __get, __set, __isset, __unset, recursion guards, visibility, references.
class M {
    private $data = ['in' => 1]; public $pub = 'p'; protected $prot = 'hidden'; private $priv = 'hidden too';
    function __get($n) { echo "get($n) "; return $this->data[$n] ?? null; }
    function __set($n, $v) { echo "set($n) "; $this->data[$n] = $v; }
    function __isset($n) { echo "isset($n) "; return isset($this->data[$n]); }
    function __unset($n) { echo "unset($n) "; unset($this->data[$n]); }
}
$m = new M; echo $m->in, ' ', $m->pub, "\n"; $m->x = 5; echo $m->x, "\n";
var_dump(isset($m->x), isset($m->nope), empty($m->x), isset($m->pub), $m->x ?? 'd', $m->nope ?? 'd');
echo $m->prot, '|', $m->priv, "\n"; $m->prot = 'via set'; echo $m->prot, "\n";
unset($m->x, $m->pub); echo "\n"; var_dump(isset($m->pub)); $m->pub = 'again'; echo "\n";
$m->arr = [1]; $m->arr[] = 2; echo "\n"; var_dump($m->arr);
$m->cnt = 1; $m->cnt++; $m->cnt += 5; $m->cnt .= 'x'; echo $m->cnt, "\n";
$m->obj = new stdClass; $m->obj->deep = 1; echo $m->obj->deep, "\n";
echo isset($m->a->b) ? 'y' : 'n', isset($m->obj->deep) ? 'y' : 'n', isset($m->arr[0]) ? 'y' : 'n', "\n";
$m->nul ??= 'assigned'; echo "\n"; $m->nul ??= 'not again'; echo $m->nul, "\n";
class Rec { function __get($n) { echo "[$n]"; return $this->$n; } function __set($n, $v) { echo "{{$n}}"; $this->$n = $v; } }
set_error_handler(function ($no, $msg) { echo "<$msg>"; return true; });
$r = new Rec; $r->foo; echo "\n"; $r->bar = 1; var_dump($r->bar);
class Cross { function __get($n) { echo "g($n)"; if ($n === 'a') return $this->b; return $this->a ?? 'x'; } } echo (new Cross)->a, "\n";
class ByRef { private $d = ['list' => [1]]; function &__get($n) { return $this->d[$n]; } function d() { return $this->d; } } $b = new ByRef; $b->list[] = 2; $b->new['k'] = 1; echo json_encode($b->d()), "\n";
class Typed { public int $t; function __get($n) { return "magic:$n"; } } $t = new Typed; try { echo $t->t; } catch (Error $e) { echo $e->getMessage(), "\n"; } unset($t->t); try { echo $t->t, "\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
class Ret { function __isset($n) { return 'truthy'; } function __get($n) { return 0; } } $q = new Ret; var_dump(isset($q->z), empty($q->z), isset($q->z->y));
class OnlyIsset { function __isset($n) { return true; } } var_dump((new OnlyIsset)->x ?? 'dflt', isset((new OnlyIsset)->x));
class Par { private $secret = 'par'; } class Chi extends Par { function __get($n) { return "chi:$n"; } } echo (new Chi)->secret, "\n";
$prop = 'dyn prop'; $m2 = new M; $m2->$prop = 3; $m2->{'a' . 'b'} = 4; echo $m2->{'dyn prop'}, $m2->{"a{$x}b"} ?? '', "\n";
try { $m2->{''} = 1; echo "\n"; $z = new stdClass; $z->{''} = 1; var_dump($z); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $z = new stdClass; $z->{"\0x"} = 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
