<?php
// Interface constants, class constants: visibility, final, types, expressions, lazy evaluation.
interface I { const A = 1; const B = self::A + 1; public function m(int $x = self::B): int; }
interface J extends I { const C = I::B * 10; }
abstract class Base implements J { const D = parent_less::class . static_const; protected const P = 'prot'; private const V = 'priv'; final public const F = 'fin'; const ARR = ['k' => self::A, self::B => [1, 2]]; public function m(int $x = self::C): int { return $x; } static function show() { return [self::P, self::V, static::P]; } }
const static_const = '!';
class K extends Base { protected const P = 'K.prot'; const SUM = self::C + 5; const string TYPED = 'ty' . 'ped'; const E = self::ARR['k'] + self::ARR[2][1]; const TERN = PHP_INT_SIZE === 8 ? 'sixty-four' : 'other'; const COAL = self::ARR['none'] ?? 'dflt'; }
echo I::B, J::C, K::A, Base::D, ' ', implode(',', K::show()), K::F, K::SUM, K::TYPED, K::E, K::TERN, K::COAL, (new K)->m(), "\n";
$k = new K; echo $k::A, $k::ARR['k'], "\n"; $n = 'SUM'; echo K::{$n}, constant('K::SUM'), constant('J::C'), "\n";
foreach ([fn() => K::P, fn() => K::V, fn() => K::NOPE, fn() => constant('K::NOPE'), fn() => NOPE, fn() => constant('NOPE'), fn() => Missing::X, fn() => K::{'P'}] as $f) try { var_dump($f()); } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump(defined('K::SUM'), defined('K::P'), defined('static_const'), K::class, $k::class);
class Rec { const X = self::Y; const Y = self::X; } try { echo Rec::X; } catch (Error $e) { echo $e->getMessage(), "\n"; }
class Obj { const E = Suit::H; const N = self::E->name; } enum Suit: string { case H = 'hearts'; const Wild = self::H; } echo Obj::E->value, Obj::N, Suit::Wild->name, "\n";
class Lazy { const L = UNDEFINED_YET; } try { echo Lazy::L; } catch (Error $e) { echo $e->getMessage(), "\n"; } define('UNDEFINED_YET', 'now defined'); echo Lazy::L, "\n";
define('CASE_S', 1); var_dump(defined('case_s'), CASE_S); var_dump(define('CASE_S', 2)); const TOP = [1, 2][1] << 3; echo TOP, "\n"; define('ARRC', ['a' => [1]]); echo ARRC['a'][0], "\n";
var_dump(TRUE, True, NULL, PHP_EOL === "\n", PHP_INT_MAX, PHP_FLOAT_EPSILON, M_PI, E_ALL, PHP_OS_FAMILY, DIRECTORY_SEPARATOR);
class Par { const X = 'par'; function get() { return static::X . self::X; } } class Chi extends Par { const X = 'chi'; } echo (new Chi)->get(), "\n";
print_r((new ReflectionClass('K'))->getConstants());
class Ty { const int|string U = 5; const ?array N = null; } var_dump(Ty::U, Ty::N); abstract class AbsC { abstract function f(); } try { new AbsC; } catch (Error $e) { echo $e->getMessage(), "\n"; } try { new I; } catch (Error $e) { echo $e->getMessage(), "\n"; }
echo (function (int $x = I::B | 4, array $o = K::ARR + ['z' => 1]) { return $x . count($o); })(), "\n";
