<?php
// Property hooks of PHP 8.4: virtual and backed, inheritance, interfaces, references.
class User {
    private int $writes = 0;
    public function __construct(private string $first, private string $last) {}
    public string $full { get => "$this->first $this->last"; set(string $v) { [$this->first, $this->last] = explode(' ', $v, 2); } }
    public string $name = 'init' { set { $this->writes++; $this->name = trim($value); } get { return "<{$this->name}>"; } }
    public int $count { get => $this->writes; }
    public string $lower = 'X' { set => strtolower($value); }
    public array $list = [] { get => $this->list; }
}
$u = new User('Ada', 'Lovelace'); echo $u->full, "\n"; $u->full = 'Grace Brewster Hopper'; echo $u->full, "\n";
echo $u->name, ' '; $u->name = '  bob '; echo $u->name, $u->count, "\n"; $u->lower = 'ABC'; echo $u->lower, "\n";
foreach ([fn() => $u->count = 5, fn() => $u->full = [], fn() => $u->list[] = 1, function () use ($u) { $r = &$u->name; }, fn() => $u->name .= '!', function () use ($u) { unset($u->name); }, fn() => isset($u->full), fn() => (new ReflectionProperty('User', 'full'))->isVirtual(), fn() => $u->count++] as $i => $f)
    try { echo $i, ' '; var_dump($f()); } catch (Error $e) { echo $e->getMessage(), "\n"; }
echo $u->name, "\n"; var_dump($u); print_r(get_object_vars($u)); echo json_encode($u), "\n"; foreach ($u as $k => $v) echo $k, '=', json_encode($v), ' '; echo "\n"; print_r((array) $u);
interface HasArea { public float $area { get; } public string $label { get; set; } }
class Sq implements HasArea { public function __construct(public float $side) {} public float $area { get => $this->side ** 2; } public string $label = 'sq'; }
$s = new Sq(3); echo $s->area, $s->label, "\n"; try { $s->area = 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
abstract class Shape { abstract public string $kind { get; } public int $n = 1 { get => $this->n * 10; set { $this->n = $value + 1; } } }
class Circle extends Shape { public string $kind { get => 'circle'; } public int $n = 2 { get => parent::$n::get() + 5; set { parent::$n::set($value * 2); } } }
$c = new Circle; echo $c->kind, $c->n, ' '; $c->n = 4; echo $c->n, "\n";
class Ref { private $store = [1]; public array $arr { &get => $this->store; } } $r = new Ref; $r->arr[] = 2; $x = &$r->arr; $x[] = 3; echo json_encode($r->arr), "\n";
class Promo { public function __construct(public string $p { set => strtoupper($value); get => "[$this->p]"; }) {} } echo (new Promo('abc'))->p, "\n";
class Conv { public string|int $v { set(string|int|array $v) { $this->v = is_array($v) ? implode(',', $v) : $v; } } } $k = new Conv; $k->v = [1, 2]; var_dump($k->v); try { $k->v = 1.5; var_dump($k->v); } catch (Error $e) { echo $e->getMessage(), "\n"; }
class Fin { public final int $f { get => 1; } public int $m { final get => 2; } } echo (new Fin)->f, (new Fin)->m, "\n";
trait HookT { public string $t { get => 'T:' . static::class; } } class UseT { use HookT; } echo (new UseT)->t, "\n";
class Lazy { public string $v { get { echo 'compute '; return $this->v ??= 'done'; } } } $l = new Lazy; try { echo $l->v, $l->v, "\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
class Mg { public $h { get => __PROPERTY__ . '|' . __FUNCTION__ . '|' . __METHOD__; } } echo (new Mg)->h, "\n";
class Thr { public $x { set { throw new Exception('set ' . $value); } } } try { $thr = new Thr; $thr->x = 5; } catch (Exception $e) { echo $e->getMessage(), ' ', $e->getTrace()[0]['function'], "\n"; }
$cl = clone $u; $cl->full = 'A B'; echo $u->full, '|', $cl->full, "\n"; echo str_replace("\0", '~', serialize(new Sq(2))), "\n"; var_dump($s == new Sq(3));
