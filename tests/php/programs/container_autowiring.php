<?php
// A dependency injection container with autowiring, tags, decorators and cycle detection.
interface LoggerI { public function log(string $m): void; } final class MemLogger implements LoggerI { public array $lines = []; public function log(string $m): void { $this->lines[] = $m; } }
final class PrefixLogger implements LoggerI { public function __construct(private LoggerI $inner, private string $prefix = '> ') {} public function log(string $m): void { $this->inner->log($this->prefix . $m); } }
class Clock { public static int $made = 0; public function __construct() { self::$made++; } public function now(): string { return '12:00'; } }
class Mailer { public function __construct(public readonly LoggerI $logger, public readonly Clock $clock, public readonly string $from = 'noreply', public readonly ?Optional $opt = null) {} public function send(string $to): string { $this->logger->log("mail to $to"); return "{$this->from}->$to@{$this->clock->now()}"; } }
class Optional {} class CycleA { public function __construct(CycleB $b) {} } class CycleB { public function __construct(CycleA $a) {} } class NeedsScalar { public function __construct(public int $port) {} } abstract class Abs {} class Union { public function __construct(public Clock|Mailer $x) {} } class Vari { public array $l; public function __construct(LoggerI ...$l) { $this->l = $l; } }
class NotFound extends LogicException {}
final class Container implements ArrayAccess
{
    private array $defs = []; private array $shared = []; private array $making = []; private array $deco = []; private array $tags = [];
    public function bind(string $id, string|Closure|null $to = null, bool $shared = true): static { $this->defs[$id] = [$to ?? $id, $shared]; unset($this->shared[$id]); return $this; }
    public function decorate(string $id, Closure $f): static { $this->deco[$id][] = $f; return $this; }
    public function tag(string $tag, string ...$ids): static { $this->tags[$tag] = [...$this->tags[$tag] ?? [], ...$ids]; return $this; }
    public function tagged(string $tag): iterable { foreach ($this->tags[$tag] ?? [] as $id) yield $id => $this->get($id); }
    public function get(string $id, array $with = []): object
    {
        if (!$with && isset($this->shared[$id])) return $this->shared[$id];
        if (isset($this->making[$id])) throw new NotFound('cycle: ' . implode(' > ', [...array_keys($this->making), $id]));
        $this->making[$id] = true;
        try {
            [$to, $shared] = $this->defs[$id] ?? [$id, true];
            $o = $to instanceof Closure ? $to($this) : ($to !== $id ? $this->get($to) : $this->build($id, $with));
            foreach ($this->deco[$id] ?? [] as $d) $o = $d($o, $this);
        } finally { unset($this->making[$id]); }
        return $shared && !$with ? $this->shared[$id] = $o : $o;
    }
    private function build(string $c, array $with): object
    {
        if (!class_exists($c)) throw new NotFound("unknown $c");
        $r = new ReflectionClass($c);
        if (!$r->isInstantiable()) throw new NotFound("$c is not instantiable");
        return $r->newInstanceArgs(array_merge(...array_map(fn(ReflectionParameter $p) => $this->arg($p, $with), $r->getConstructor()?->getParameters() ?? []), ...[[]]));
    }
    private function arg(ReflectionParameter $p, array $with): array
    {
        $n = $p->getName(); $t = $p->getType();
        if (array_key_exists($n, $with)) return [$n => $with[$n]];
        if ($p->isVariadic()) return [];
        foreach ($t instanceof ReflectionUnionType ? $t->getTypes() : [$t] as $one) if ($one instanceof ReflectionNamedType && !$one->isBuiltin()) try { return [$n => $this->get($one->getName())]; } catch (NotFound $e) { if (!$p->isDefaultValueAvailable()) throw $e; }
        return $p->isDefaultValueAvailable() ? [$n => $p->getDefaultValue()] : throw new NotFound("cannot resolve \$$n of {$p->getDeclaringClass()->name}");
    }
    public function call(callable $f, array $with = []): mixed { $args = []; foreach ((new ReflectionFunction($f(...)))->getParameters() as $p) $args += $this->arg($p, $with); return $f(...$args); }
    public function offsetExists(mixed $k): bool { return isset($this->defs[$k]) || class_exists($k); } public function offsetGet(mixed $k): object { return $this->get($k); } public function offsetSet(mixed $k, mixed $v): void { $this->bind($k, $v); } public function offsetUnset(mixed $k): void { unset($this->defs[$k], $this->shared[$k]); }
}
$c = (new Container)->bind(LoggerI::class, MemLogger::class)->decorate(LoggerI::class, fn(LoggerI $l) => new PrefixLogger($l))->decorate(LoggerI::class, fn($l) => new PrefixLogger($l, '[2] '));
$m = $c->get(Mailer::class); echo $m->send('bob'), ' ', json_encode($c[MemLogger::class]->lines), ' ', $c[Mailer::class] === $m ? 'shared' : 'new', ' ', $c->get(Mailer::class, ['from' => 'me'])->send('x'), ' ', Clock::$made, ' ', get_class($m->opt), "\n";
foreach ([CycleA::class, NeedsScalar::class, Abs::class, 'Missing', Union::class, Vari::class] as $id) try { echo get_class($c->get($id)), "\n"; } catch (NotFound $e) { echo $e->getMessage(), "\n"; }
echo $c->get(NeedsScalar::class, ['port' => 80])->port, ' ', $c->call(fn(Clock $k, LoggerI $l, int $n = 3) => $k->now() . $n . get_class($l)), ' ', isset($c['Clock']) ? 'has' : '', isset($c['Zzz']) ? '' : ' no', "\n"; $c['proto'] = fn() => new Clock; echo $c['proto'] === $c['proto'] ? 'same' : 'other', ' '; $c->bind('fresh', fn() => new Clock, false); echo $c['fresh'] === $c['fresh'] ? 'same' : 'other', "\n"; foreach ($c->tag('all', Clock::class, Mailer::class)->tagged('all') as $id => $o) echo $id, '=', get_class($o), ' '; echo "\n";
