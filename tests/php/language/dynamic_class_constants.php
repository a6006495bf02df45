<?php
// PHP 8.3: Foo::{$name}, typed constants, static initialisers.
interface HasT { const string T = 'iface'; }
class A implements HasT { const int|string ONE = 1; const ?array ARR = ['k' => 'v']; const self|null ME = null; const iterable IT = [1]; final const float F = 1; protected const bool P = true; static function get($n) { return static::{$n}; } }
class B extends A { const string T = 'B'; const int ONE = 11; }
enum E: string { case X = 'x'; const E DEF = self::X; static function by(string $n): self { return self::{$n}; } }
$n = 'ONE';
echo A::{$n}, B::{'O' . 'NE'}, A::{'ARR'}['k'], B::{'T'}, A::{'T'}, json_encode(A::{'F'}), E::{'X'}->value, E::by('DEF')->name, "\n";
$o = new B;
echo $o::{$n}, A::get('P') ? 'prot' : '', (fn() => self::{'P'})->bindTo(null, A::class)() ? 'bound' : '', "\n";
foreach ([fn() => A::{'NOPE'}, fn() => A::{'P'}, fn() => A::{5}, fn() => A::{''}, fn() => E::{'Y'}, fn() => A::{null}, fn() => A::{'class'}, fn() => Nope::{'X'}, fn() => A::{[]}] as $i => $f) try { echo $i, ' '; var_dump($f()); } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
echo (string) (new ReflectionClassConstant('A', 'ONE'))->getType(), ' ', (new ReflectionClassConstant('A', 'ARR'))->getType()->allowsNull() ? 'nullable' : '', ' ', (new ReflectionClassConstant('A', 'ME'))->getType(), "\n";
