<?php
// Arbitrary precision integers on arrays of limbs: add, subtract, multiply, divide, power, factorial, gcd, base conversion.
final readonly class Big implements Stringable, JsonSerializable
{
    private const B = 10 ** 7; private const W = 7;
    /** @param list<int> $l least significant first */
    private function __construct(private array $l, private bool $neg = false) {}
    public static function of(int|string|self $v): self { if ($v instanceof self) return $v; $s = (string) $v; if (!preg_match('/^([+-]?)0*(\d+)$/', $s, $m)) throw new InvalidArgumentException("not a number: $s"); return self::mk(array_map(fn($c) => (int) strrev($c), str_split(strrev($m[2]), self::W)), $m[1] === '-'); }
    private static function mk(array $l, bool $neg): self { while (count($l) > 1 && end($l) === 0) array_pop($l); return new self($l, $neg && $l !== [0]); }
    private static function cmpAbs(array $a, array $b): int { if ($c = count($a) <=> count($b)) return $c; for ($i = count($a) - 1; $i >= 0; $i--) if ($c = $a[$i] <=> $b[$i]) return $c; return 0; }
    public function cmp(int|string|self $o): int { $o = self::of($o); return $this->neg !== $o->neg ? ($this->neg ? -1 : 1) : ($this->neg ? -1 : 1) * self::cmpAbs($this->l, $o->l); }
    private static function addAbs(array $a, array $b): array { $r = []; for ($i = $c = 0, $n = max(count($a), count($b)); $i < $n || $c; $i++) { $s = ($a[$i] ?? 0) + ($b[$i] ?? 0) + $c; $r[] = $s % self::B; $c = intdiv($s, self::B); } return $r; }
    private static function subAbs(array $a, array $b): array { $r = []; for ($i = $c = 0; $i < count($a); $i++) { $s = $a[$i] - ($b[$i] ?? 0) - $c; $c = $s < 0 ? 1 : 0; $r[] = $s + $c * self::B; } return $r; }
    public function add(int|string|self $o): self { $o = self::of($o); if ($this->neg === $o->neg) return self::mk(self::addAbs($this->l, $o->l), $this->neg); return self::cmpAbs($this->l, $o->l) >= 0 ? self::mk(self::subAbs($this->l, $o->l), $this->neg) : self::mk(self::subAbs($o->l, $this->l), $o->neg); }
    public function negate(): self { return self::mk($this->l, !$this->neg); }
    public function sub(int|string|self $o): self { return $this->add(self::of($o)->negate()); }
    public function mul(int|string|self $o): self { $o = self::of($o); $r = array_fill(0, count($this->l) + count($o->l) + 1, 0); foreach ($this->l as $i => $a) { $c = 0; foreach ($o->l as $j => $b) { $t = $r[$i + $j] + $a * $b + $c; $r[$i + $j] = $t % self::B; $c = intdiv($t, self::B); } $r[$i + count($o->l)] += $c; } return self::mk($r, $this->neg !== $o->neg); }
    /** @return array{self, self} */
    public function divmod(int|string|self $o): array { $o = self::of($o); if ($o->l === [0]) throw new DivisionByZeroError('Division by zero'); $rem = self::of(0); $q = []; $d = self::mk($o->l, false); for ($i = count($this->l) - 1; $i >= 0; $i--) { $rem = self::mk([$this->l[$i], ...$rem->l], false); $lo = 0; $hi = self::B - 1; while ($lo < $hi) { $mid = ($lo + $hi + 1) >> 1; if ($d->mul($mid)->cmp($rem) <= 0) $lo = $mid; else $hi = $mid - 1; } $q[$i] = $lo; if ($lo) $rem = $rem->sub($d->mul($lo)); } ksort($q); return [self::mk($q, $this->neg !== $o->neg), self::mk($rem->l, $this->neg)]; }
    public function pow(int $e): self { $r = self::of(1); for ($b = $this; $e; $e >>= 1, $b = $e ? $b->mul($b) : $b) if ($e & 1) $r = $r->mul($b); return $r; }
    public function powmod(self $e, self $m): self { $r = self::of(1); for ($b = $this->divmod($m)[1]; $e->cmp(0) > 0;) { [$e, $bit] = $e->divmod(2); if ($bit->cmp(1) === 0) $r = $r->mul($b)->divmod($m)[1]; $b = $b->mul($b)->divmod($m)[1]; } return $r; }
    public function base(int $b): string { $s = ''; $n = $this; do { [$n, $d] = $n->divmod($b); $s = '0123456789abcdefghijklmnopqrstuvwxyz'[(int) (string) $d] . $s; } while ($n->cmp(0)); return $s; }
    public static function gcd(self $a, self $b): self { while ($b->cmp(0)) [$a, $b] = [$b, $a->divmod($b)[1]]; return $a; }
    public function __toString(): string { $s = ''; foreach ($this->l as $i => $d) $s = ($i < count($this->l) - 1 ? str_pad((string) $d, self::W, '0', STR_PAD_LEFT) : $d) . $s; return ($this->neg ? '-' : '') . $s; }
    public function jsonSerialize(): string { return (string) $this; }
}
$f = Big::of(1); for ($i = 2; $i <= 40; $i++) $f = $f->mul($i); echo $f, "\n", Big::of(2)->pow(200), "\n", Big::of('-123456789012345678901234567890')->add('123456789012345678901234567891'), ' ', Big::of('1000000000000000')->sub('1000000000000001'), ' ', Big::of('99999999999999')->mul('-99999999999999'), "\n"; [$q, $r] = Big::of('123456789012345678901234567890')->divmod('987654321987'); echo $q, ' r ', $r, ' ', $q->mul('987654321987')->add($r), "\n"; echo Big::gcd(Big::of('123456789012345678'), Big::of('987654321098765432')), ' ', Big::of('255')->base(16), ' ', Big::of('18446744073709551615')->base(2), "\n", Big::of(3)->powmod(Big::of(200), Big::of(1000007)), ' ', json_encode([Big::of(0)->negate(), Big::of('-000'), Big::of('007')]), ' ', Big::of(5)->cmp(7), Big::of(-5)->cmp(-7), Big::of('10000000')->cmp('9999999'), "\n"; foreach (['abc', '1.5', ''] as $bad) try { Big::of($bad); } catch (InvalidArgumentException $e) { echo $e->getMessage(), '; '; } try { Big::of(1)->divmod(0); } catch (DivisionByZeroError $e) { echo $e->getMessage(), "\n"; } $a = Big::of(0); $b = Big::of(1); for ($i = 0; $i < 200; $i++) [$a, $b] = [$b, $a->add($b)]; echo $a, "\n";
