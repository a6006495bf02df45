<?php
// A small Lisp: reader, environments, closures, macros, tail calls by loop, errors.
final class Sym { private static array $all = []; private function __construct(public readonly string $n) {} public static function of(string $n): self { return self::$all[$n] ??= new self($n); } }
final class Env { public function __construct(private array $v = [], private ?Env $up = null) {} public function get(string $n): mixed { for ($e = $this; $e; $e = $e->up) if (array_key_exists($n, $e->v)) return $e->v[$n]; throw new RuntimeException("unbound $n"); } public function def(string $n, mixed $x): mixed { return $this->v[$n] = $x; } public function set(string $n, mixed $x): mixed { for ($e = $this; $e; $e = $e->up) if (array_key_exists($n, $e->v)) return $e->v[$n] = $x; throw new RuntimeException("unbound $n"); } }
final class Lam { public function __construct(public array $params, public mixed $body, public Env $env, public bool $macro = false) {} public function bind(array $args): Env { $v = []; foreach ($this->params as $i => $p) { if ($p->n === '.') { $v[$this->params[$i + 1]->n] = array_slice($args, $i); break; } $v[$p->n] = $args[$i] ?? throw new RuntimeException('too few arguments'); } return new Env($v, $this->env); } }
function read(string $s): array { preg_match_all('/\s*(?:;[^\n]*)?(\'|`|,|[()]|"(?:\\\\.|[^"\\\\])*"|[^\s()\'`,";]+)/', $s, $m); $t = $m[1]; $i = 0; $form = function () use (&$form, &$t, &$i): mixed { $x = $t[$i++] ?? throw new RuntimeException('unexpected end'); if ($x === '(') { for ($l = []; ($t[$i] ?? throw new RuntimeException('missing )')) !== ')';) $l[] = $form(); $i++; return $l; } if ($q = ["'" => 'quote', '`' => 'quasi', ',' => 'unquote'][$x] ?? null) return [Sym::of($q), $form()]; if ($x[0] === '"') return stripcslashes(substr($x, 1, -1)); if (is_numeric($x)) return $x + 0; return match ($x) { '#t' => true, '#f' => false, 'nil' => [], ')' => throw new RuntimeException('unexpected )'), default => Sym::of($x) }; }; $out = []; while ($i < count($t)) $out[] = $form(); return $out; }
function show(mixed $x): string { return match (true) { is_array($x) => '(' . implode(' ', array_map('show', $x)) . ')', $x instanceof Sym => $x->n, $x instanceof Lam => '#lambda', $x instanceof Closure => '#builtin', is_bool($x) => $x ? '#t' : '#f', is_string($x) => '"' . addcslashes($x, "\"\n\\") . '"', default => (string) $x }; }
function quasi(mixed $x, Env $e): mixed { return is_array($x) ? (($x[0] ?? null) === Sym::of('unquote') ? ev($x[1], $e) : array_map(fn($y) => quasi($y, $e), $x)) : $x; }
function ev(mixed $x, Env $e): mixed
{
    while (true) {
        if ($x instanceof Sym) return $e->get($x->n);
        if (!is_array($x) || !$x) return $x;
        $h = $x[0] instanceof Sym ? $x[0]->n : null;
        switch ($h) {
            case 'quote': return $x[1];
            case 'quasi': return quasi($x[1], $e);
            case 'if': $c = ev($x[1], $e); $x = $c !== false && $c !== [] ? $x[2] : ($x[3] ?? []); continue 2;
            case 'define': return is_array($x[1]) ? $e->def($x[1][0]->n, new Lam(array_slice($x[1], 1), [Sym::of('begin'), ...array_slice($x, 2)], $e)) : $e->def($x[1]->n, ev($x[2], $e));
            case 'set!': return $e->set($x[1]->n, ev($x[2], $e));
            case 'lambda': return new Lam($x[1], [Sym::of('begin'), ...array_slice($x, 2)], $e);
            case 'macro': return $e->def($x[1][0]->n, new Lam(array_slice($x[1], 1), $x[2], $e, true));
            case 'begin': for ($i = 1; $i < count($x) - 1; $i++) ev($x[$i], $e); $x = $x[$i] ?? []; continue 2;
            case 'let': $v = []; foreach ($x[1] as [$n, $b]) $v[$n->n] = ev($b, $e); $e = new Env($v, $e); $x = [Sym::of('begin'), ...array_slice($x, 2)]; continue 2;
        }
        $f = ev($x[0], $e);
        if ($f instanceof Lam && $f->macro) { $x = ev($f->body, $f->bind(array_slice($x, 1))); continue; }
        $args = []; foreach (array_slice($x, 1) as $a) $args[] = ev($a, $e);
        if ($f instanceof Lam) { $e = $f->bind($args); $x = $f->body; continue; }
        return $f instanceof Closure ? $f(...$args) : throw new RuntimeException('not a function: ' . show($f));
    }
}
$apply = fn($f, array $a) => $f instanceof Lam ? ev($f->body, $f->bind($a)) : $f(...$a);
$g = new Env(['+' => fn(...$a) => array_sum($a), '-' => fn($a, ...$r) => $r ? $a - array_sum($r) : -$a, '*' => fn(...$a) => array_product($a), '/' => fn($a, $b) => $b == 0 ? throw new DivisionByZeroError('division') : $a / $b, '<' => fn($a, $b) => $a < $b, '=' => fn($a, $b) => $a === $b, 'car' => fn(array $l) => $l[0] ?? throw new RuntimeException('car of empty'), 'cdr' => fn(array $l) => array_slice($l, 1), 'cons' => fn($a, array $l) => [$a, ...$l], 'list' => fn(...$a) => $a, 'null?' => fn($l) => $l === [], 'map' => fn($f, array $l) => array_map(fn($x) => $apply($f, [$x]), $l), 'apply' => $apply, 'str' => fn(...$a) => implode('', array_map(fn($x) => is_string($x) ? $x : show($x), $a)), 'mod' => fn($a, $b) => $a % $b]);
foreach (read(<<<'L'
(define (fact n) (if (< n 2) 1 (* n (fact (- n 1))))) (fact 15)
(define (loop i acc) (if (= i 0) acc (loop (- i 1) (+ acc i)))) (loop 3000 0)
(map (lambda (x) (* x x)) '(1 2 3 4))
(define make (lambda () (let ((n 0)) (lambda () (set! n (+ n 1)) n)))) (define c (make)) (c) (c) ((make))
(macro (unless c a b) `(if ,c ,b ,a)) (unless (< 1 2) "no" "yes")
(define (compose f g) (lambda (x) (f (g x)))) ((compose car cdr) '(1 2 3))
(define (filter p l) (if (null? l) nil (if (p (car l)) (cons (car l) (filter p (cdr l))) (filter p (cdr l))))) (filter (lambda (x) (= 0 (mod x 3))) '(1 2 3 4 5 6 9))
(apply + '(1 2 3)) (str "a" 1 '(b "c")) (let ((x 2) (y 3)) (let ((x 7)) (+ x y))) ((lambda (a . rest) rest) 1 2 3)
(car nil) (undefined 1) (/ 1 0) (1 2) ((lambda (x) x)) "esc\"aped\n" '(quote . x) fact +
L) as $form) try { echo show(ev($form, $g)), ' '; } catch (Throwable $e) { echo '[', get_class($e), ': ', $e->getMessage(), '] '; }
echo "\n"; foreach (['(', ')', "'", '(a (b)'] as $bad) try { read($bad); echo "ok\n"; } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
