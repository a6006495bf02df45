<?php
// Composition, precedence, aliases, abstract and static members, conflicts resolved.
trait Hello { function say() { return 'Hello from ' . __CLASS__ . ' ' . self::class . ' ' . __TRAIT__ . ' ' . __METHOD__ . ' ' . __FUNCTION__; } private function hid() { return 'hid'; } public $p = 1; static $s = 0; static function inc() { return ++self::$s; } abstract function need(); const TC = 'tc'; }
trait World { function say() { return 'World'; } protected function prot() { return 'prot'; } }
class Base { function say() { return 'Base'; } function who() { return 'base who'; } }
class A extends Base { use Hello, World { Hello::say insteadof World; World::say as sayWorld; hid as public; prot as public pubProt; World::say as protected psay; } function need() { return 'needed'; } function who() { return parent::who() . '+' . parent::say() . $this->psay(); } }
$a = new A; echo $a->say(), "\n", $a->sayWorld(), $a->hid(), $a->pubProt(), "\n", $a->who(), "\n", $a->need(), A::inc(), A::inc(), A::TC, "\n";
try { $a->prot(); } catch (Error $e) { echo $e->getMessage(), "\n"; } try { $a->psay(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
class B { use Hello; function need() {} } echo B::inc(), "\n";
trait Nested { use World; function n() { return $this->say() . $this->prot(); } } class C { use Nested; function say() { return 'C wins'; } } echo (new C)->n(), "\n";
trait Par { function who() { return 'trait>' . parent::who(); } } class D extends Base { use Par; } echo (new D)->who(), "\n";
trait Cnt { private int $c = 0; function inc(): static { $this->c++; return $this; } function get() { return $this->c; } } class E { use Cnt; } class F extends E { use Cnt; } echo (new F)->inc()->inc()->get(), "\n";
print_r(class_uses('A')); print_r(class_uses(new C)); var_dump(trait_exists('Hello'), class_exists('Hello'), (new ReflectionClass('A'))->getTraitAliases());
foreach (['class X1 { use Hello; }', 'trait T1 { public $q = 1; } class X2 { use T1; public $q = 2; }', 'class X3 { use Hello, World; function need() {} }', 'class X4 { use Missing; }', 'class X5 { use Base; }', 'class X6 { use World { nope as x; } }', 'class X7 { use World { say as say2; say as say2; } }', 'trait T2 { abstract function f(int $a): string; } class X8 { use T2; function f(string $a): string {} }', 'trait T3 { final const Z = 1; } class X9 { use T3; const Z = 2; }', 'new Hello;'] as $i => $code) { if ($i !== 9) continue; try { eval($code); } catch (Error $e) { echo $e->getMessage(), "\n"; } }
trait Ctor { function __construct(protected string $name = 'dflt') {} function n() { return $this->name; } } class G { use Ctor; } echo (new G('gg'))->n(), (new G)->n(), "\n";
trait StaticV { function f() { static $n = 0; return ++$n; } } class H { use StaticV; } class I { use StaticV; } class J extends H {} echo (new H)->f(), (new I)->f(), (new J)->f(), (new H)->f(), "\n";
trait Abs { abstract private function secret(): int; function tell() { return $this->secret(); } } class K { use Abs; private function secret(): int { return 42; } } echo (new K)->tell(), "\n";
trait Sfc { static function mk() { return new self; } function cls() { return [self::class, static::class, get_class($this), __CLASS__]; } } class L { use Sfc; } class M extends L {} echo implode(',', M::mk()->cls()), ' ', implode(',', (new M)->cls()), "\n";
trait Fin { final function fin() { return 'final'; } } class N { use Fin { fin as private renamed; } } echo (new N)->fin(), "\n";
trait Ord { function a() { return 'a'; } } trait Ord2 { use Ord { a as b; } } class O { use Ord2 { b as c; a as final; } } $o = new O; echo $o->a(), $o->b(), $o->c(), "\n";
