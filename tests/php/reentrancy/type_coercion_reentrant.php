<?php
// Coercions of arguments, returns and typed properties that run user code and change the target.
class S { function __construct(private $f) {}
function __toString(): string { return (string) ($this->f)(); } }
class T { public string $s = 'init'; public ?string $n = null; public int|string $u = 0; public static string $st = 'st'; public array $a = []; }
$t = new T; $t->s = new S(function () { global $t; $t->s = 'set inside'; return 'outer'; }); var_dump($t->s);
$t = new T; try { $t->s = new S(function () { global $t; $x = $t; $t = null; return 'after drop'; }); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($t);
 $t = new T; $keep = $t; $t->s = new S(function () { global $t; unset($t->s); return 'after unset'; }); var_dump($keep->s);
$t = new T; try { $t->s = new S(fn() => throw new Exception('conv')); } catch (Exception $e) { echo $e->getMessage(), $t->s, "\n";
} $r = &$t->s; $r = new S(function () { global $t, $r; $t->s = 'inner'; return 'via reference'; }); var_dump($t->s);
$t->s .= new S(function () { global $t; $t->s = 'reset'; return '+'; }); var_dump($t->s);
T::$st = new S(function () { T::$st = 'in'; return 'out'; }); var_dump(T::$st); function p(string $a, string $b) { return "$a$b"; } $x = 'x'; echo p(new S(function () { global $x; $x = 'changed'; return 'A'; }), $x), $x, "\n";
function ret($o): string { return $o; } echo ret(new S(function () { return 'returned'; })), "\n";
function va(string ...$v) { return implode('|', $v); } $arr = [new S(fn() => '1'), new S(function () { $GLOBALS['arr'] = []; return '2'; }), 'three']; echo va(...$arr), count($arr), "\n";
echo strlen(new S(fn() => 'four')), str_replace(new S(fn() => 'a'), new S(fn() => 'b'), new S(fn() => 'aa')), "\n";
set_error_handler(function ($n, $m) { global $t; echo "<$m> "; $t = null; return true; }); class I { public int $i = 0; } $t = new I; $k = $t; $t->i = 1.5; var_dump($k->i, $t); $t = new I; $t->i = '7'; var_dump($t); function fl(int $i) { return $i; } var_dump(fl(2.5)); restore_error_handler(); set_error_handler(fn($n, $m) => throw new ErrorException($m)); $t = new I; $t->i = 3; try { $t->i = 1.5; } catch (ErrorException $e) { echo $e->getMessage(), $t->i, "\n";
} try { $t->i += 0.5; } catch (ErrorException $e) { echo $e->getMessage(), $t->i, "\n";
} try { fl(0.5); } catch (ErrorException $e) { echo $e->getMessage(), "\n";
}
class E { public string $x { set(string|Stringable $v) { $this->x = $v; } } } $e1 = new E; $e1->x = new S(function () { global $e1; $e1 = null; return 'hook'; }); var_dump($e1); class Clo { public ?Closure $c = null; public iterable $it = []; } $c = new Clo; try { $c->c = 'strlen'; } catch (TypeError $e) { echo $e->getMessage(), "\n";
}
