<?php
// What a framework does per request: containers, events, middleware, reflection-free wiring, magic methods.
class Container
{
    private array $makers = [];
    private array $made = [];
    public function set(string $id, callable $f): void { $this->makers[$id] = $f; unset($this->made[$id]); }
    public function get(string $id): mixed { return $this->made[$id] ??= ($this->makers[$id] ?? throw new OutOfBoundsException($id))($this); }
    public function __get(string $n): mixed { return $this->get($n); }
}
class Dispatcher
{
    private array $l = [];
    public function on(string $e, callable $f, int $prio = 0): void { $this->l[$e][$prio][] = $f; }
    public function fire(string $e, object $ev): object
    {
        $l = $this->l[$e] ?? [];
        krsort($l);
        foreach ($l as $fs) foreach ($fs as $f) $f($ev);
        return $ev;
    }
}
class Event { public array $log = []; public function __call(string $n, array $a): static { $this->log[$n] = $a; return $this; } }
class Request { public function __construct(public readonly string $path, public readonly array $query = []) {} }
$total = 0;
for ($r = 0; $r < 14000; $r++) {
    $c = new Container;
    $c->set('events', fn() => new Dispatcher);
    $c->set('config', fn() => ['debug' => true, 'db' => ['host' => 'localhost', 'port' => 3306]]);
    $c->set('port', fn(Container $c) => $c->get('config')['db']['port']);
    $d = $c->events;
    $d->on('request', function (Event $e) use ($c): void { $e->attr('port', $c->port); }, 5);
    $d->on('request', fn(Event $e) => $e->user('anon')->lang('en'));
    $ev = $d->fire('request', new Event);
    $next = fn(Request $q): string => strtoupper($q->path) . http_build_query($q->query);
    foreach (['trim', fn(string $s): string => $s . '!', 'strrev'] as $mw) {
        $prev = $next;
        $next = fn(Request $q): string => $mw($prev($q));
    }
    $total += strlen($next(new Request("/item/$r", ['a' => $r, 'b' => 'x y']))) + count($ev->log) + $ev->log['attr'][1];
}
echo $total, "\n";
