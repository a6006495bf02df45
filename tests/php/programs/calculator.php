<?php
// A Pratt parser and evaluator for arithmetic, with variables and functions.
final class Lexer
{
    /** @return list<array{string, string|float}> */
    public static function tokens(string $src): array
    {
        $out = [];
        $re = '~\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([a-z_]\w*)|(\*\*|<=|>=|==|!=|[-+*/%()<>,=?:!]))~Ai';
        for ($pos = 0, $n = strlen(rtrim($src)); $pos < $n; $pos += strlen($m[0])) {
            if (!preg_match($re, $src, $m, PREG_UNMATCHED_AS_NULL, $pos)) throw new RuntimeException("Unexpected '{$src[$pos]}' at $pos");
            $out[] = match (true) {
                isset($m[1]) => ['num', (float) $m[1]],
                isset($m[2]) => ['id', $m[2]],
                default => [$m[3], $m[3]],
            };
        }
        $out[] = ['end', ''];
        return $out;
    }
}
final class Calc
{
    private const BP = ['=' => 1, '?' => 2, '==' => 4, '!=' => 4, '<' => 5, '>' => 5, '<=' => 5, '>=' => 5, '+' => 6, '-' => 6, '*' => 7, '/' => 7, '%' => 7, '**' => 9];
    private array $t;
    private int $i;
    public array $vars = ['pi' => M_PI];
    private array $fn;
    public function __construct() { $this->fn = ['sqrt' => sqrt(...), 'max' => max(...), 'min' => min(...), 'abs' => abs(...), 'round' => round(...), 'sum' => fn(float ...$a) => array_sum($a)]; }
    public function eval(string $src): float|bool
    {
        $this->t = Lexer::tokens($src);
        $this->i = 0;
        $v = $this->expr(0)();
        if ($this->t[$this->i][0] !== 'end') throw new RuntimeException("Unexpected '{$this->t[$this->i][1]}'");
        return $v;
    }
    private function expr(int $min): Closure
    {
        [$k, $v] = $this->t[$this->i++];
        $left = match ($k) {
            'num' => fn() => $v,
            'id' => $this->name($v),
            '-' => (fn($r) => fn() => -$r())($this->expr(8)),
            '!' => (fn($r) => fn() => !$r())($this->expr(8)),
            '(' => $this->paren(),
            default => throw new RuntimeException($k === 'end' ? 'Unexpected end' : "Unexpected '$v'"),
        };
        while (($op = $this->t[$this->i][0]) && ($bp = self::BP[$op] ?? 0) > $min) {
            $this->i++;
            if ($op === '?') {
                $a = $this->expr(0);
                $this->expect(':');
                $b = $this->expr(1);
                $c = $left;
                $left = fn() => $c() ? $a() : $b();
                continue;
            }
            $right = $this->expr(in_array($op, ['**', '=']) ? $bp - 1 : $bp);
            if ($op === '=') { $n = $v; $left = fn() => $this->vars[$n] = $right(); continue; }
            $l = $left;
            $left = match ($op) {
                '+' => fn() => $l() + $right(), '-' => fn() => $l() - $right(), '*' => fn() => $l() * $right(),
                '/' => fn() => ($d = $right()) != 0 ? $l() / $d : throw new DivisionByZeroError("$op by zero"),
                '%' => fn() => fmod($l(), $right()), '**' => fn() => $l() ** $right(),
                '==' => fn() => $l() == $right(), '!=' => fn() => $l() != $right(), '<' => fn() => $l() < $right(),
                '>' => fn() => $l() > $right(), '<=' => fn() => $l() <= $right(), '>=' => fn() => $l() >= $right(),
            };
        }
        return $left;
    }
    private function name(string $n): Closure
    {
        if ($this->t[$this->i][0] !== '(') return fn() => $this->vars[$n] ?? throw new RuntimeException("Undefined variable $n");
        $this->i++;
        for ($args = []; $this->t[$this->i][0] !== ')';) {
            $args[] = $this->expr(0);
            if ($this->t[$this->i][0] === ',') $this->i++;
        }
        $this->i++;
        $f = $this->fn[$n] ?? throw new RuntimeException("Undefined function $n");
        return fn() => (float) $f(...array_map(fn($a) => $a(), $args));
    }
    private function paren(): Closure { $e = $this->expr(0); $this->expect(')'); return $e; }
    private function expect(string $k): void { if ($this->t[$this->i++][0] !== $k) throw new RuntimeException("Expected '$k'"); }
}
$c = new Calc;
foreach (['1 + 2 * 3', '(1 + 2) * 3', '-2 ** 2', '2 ** 3 ** 2', '10 / 4 - 1', 'x = 5', 'x * x + 1', 'y = z = 7', 'y + z', 'max(1, x, 3) + sqrt(16)', '1 < 2 ? 10 : 20', 'x == 5', '!(x > 3)', 'sum(1,2,3,4)', '7 % 4', '1 / 0', '2 +', '(1', '1 2', 'q', 'f(1)', '3 $ 4', 'round(pi * 100)', '1.5e3 + .5'] as $e)
    try { echo $e, ' => ', json_encode($c->eval($e)), "\n"; } catch (Throwable $x) { echo $e, ' => ', get_class($x), ': ', $x->getMessage(), "\n"; }
