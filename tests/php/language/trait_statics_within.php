<?php
// Static members of a trait, from its own methods.
function t($f) { try { $f(); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
trait C0 {
    public static function m3() { $g = C0::m4(); }
    private function m4() { }
    public function m5() { }
    private static function m6() { echo "6\n"; }
    public static function m7() { try { C0::m6(); self::m6(); static::m6(); $x = [C0::class, 'm6']; $x(); call_user_func($x); call_user_func('C0::m6'); $f = C0::m6(...); $f(); } catch (Error $e) { echo $e->getMessage(), "\n"; } }
    abstract static function m8();
    static function __callStatic($n, $a) { echo "cs $n\n"; }
}
t(fn() => C0::m3());
t(fn() => C0::m5());
t(fn() => C0::m6());
t(fn() => C0::m7());
t(fn() => C0::m8());
t(fn() => C0::nope());
trait C9 { function a() {} private static function b() {} protected static function c() {} }
t(fn() => C9::a());
t(fn() => C9::b());
t(fn() => C9::c());
t(fn() => C9::d());
t(fn() => call_user_func('C9::b'));
t(fn() => call_user_func('C9::a'));
t(fn() => (new ReflectionMethod('C9', 'b'))->invoke(null));
trait T { public static $p = 1; private static $q = 2; static function m() { var_dump(T::$p, self::$p, static::$p, self::$q); $n = 'q'; var_dump(T::$$n); T::$p++; isset(T::$p); $r = &T::$p; } }
T::m();
class U { use T; }
U::m();
