<?php
// static:: follows the called class, self:: and parent:: forward it.
class A { static function create() { return new static; } static function name() { return static::class . '/' . self::class . '/' . get_called_class(); } function inst() { return static::class; } static function test() { return static::who(); } static function who() { return 'A'; } static $v = 'A.v'; const C = 'A.C'; static function vals() { return static::$v . static::C . self::C; } static function fwd() { return self::name() . ' ' . static::name(); } }
class B extends A { static function who() { return 'B'; } static $v = 'B.v'; const C = 'B.C'; static function par() { return parent::name() . ' ' . A::name() . ' ' . self::name(); } }
class C extends B { static function who() { return 'C'; } function inst() { return parent::inst() . A::inst(); } }
echo get_class(A::create()), get_class(B::create()), get_class(C::create()), "\n";
echo A::name(), ' ', B::name(), ' ', C::name(), "\n", A::test(), B::test(), C::test(), "\n", A::vals(), ' ', B::vals(), ' ', C::vals(), "\n";
echo B::par(), ' | ', C::par(), "\n", C::fwd(), "\n", (new C)->inst(), "\n";
echo call_user_func('C::name'), ' ', call_user_func(['C', 'name']), ' ', call_user_func([new C, 'parent::name']) ?? '', "\n";
try { forward_static_call(['A', 'name']); } catch (Error $e) { echo $e->getMessage(), "\n"; }
class F extends A { static function t() { return forward_static_call(['A', 'name']) . ' ' . call_user_func(['A', 'name']) . ' ' . call_user_func('parent::name'); } } echo F::t(), "\n";
$cls = 'B'; echo $cls::name(), ' ', (new $cls)::who(), ' ', $cls::C, ' ', $cls::$v, "\n";
class Single { private static array $inst = []; static function i(): static { return self::$inst[static::class] ??= new static; } } class S2 extends Single {} var_dump(Single::i() === Single::i(), Single::i() === S2::i(), get_class(S2::i()));
class X { function m() { return (function () { return static::class; })() . (fn() => static::class)() . (static fn() => static::class)(); } } class Y extends X {} echo (new Y)->m(), "\n";
abstract class Model { static function make(...$a) { $o = new static; foreach ($a as $k => $v) $o->$k = $v; return $o; } static function table() { return strtolower(static::class) . 's'; } function __get($n) { return static::table() . ".$n"; } } class User extends Model { public $id; } class Post extends Model { static function table() { return 'articles'; } } echo User::make(id: 5)->id, User::make()->name, ' ', (new Post)->x, "\n";
class G { static function gen() { yield static::class; } } class H extends G {} foreach (H::gen() as $v) echo $v, "\n";
echo (new class extends A {})->inst() === A::class ? 'same' : 'anon', "\n";
class P1 { private function p() { return 'P1p'; } function t() { return $this->p(); } } class P2 extends P1 { private function p() { return 'P2p'; } } echo (new P2)->t(), "\n";
class Q1 { private static function p() { return 'Q1'; } static function t() { return static::p(); } } class Q2 extends Q1 { private static function p() { return 'Q2'; } } echo Q1::t(), ' '; try { echo Q2::t(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
