<?php
// Closures, generators and fibers as Reflection shows them.
class Owner {
    public function gen(int $n) { yield $n; yield from self::inner(); return 3; }
    public static function inner() { yield 10; yield 20; }
    public function closure() { $x = 1; $y = 2; return function (int $a) use ($x, &$y) { static $calls = 0; $calls++; $y++; return $a + $x + $y; }; }
    public function __call($name, $args) { return "$name called"; }
    private function secret($a, $b = 2) { return "secret $a $b"; }
    public static function make(...$args) { return new static; }
}
function trace_of(array $trace): string
{
    return implode(' < ', array_map(fn ($t) => ($t['class'] ?? '') . ($t['type'] ?? '') . $t['function'] . '(' . count($t['args'] ?? []) . ')' . (isset($t['line']) ? ":{$t['line']}" : ''), $trace));
}

$o = new Owner;
$c = $o->closure();
$r = new ReflectionFunction($c);
var_dump($r->isClosure(), $r->isAnonymous(), $r->getClosureThis() === $o, $r->getClosureScopeClass()->name, $r->getClosureCalledClass()->name);
var_dump($r->getClosureUsedVariables(), $r->getStaticVariables());
var_dump($r->invoke(5), $r->invokeArgs([6]), $r->invokeArgs(['a' => 7]));
var_dump($r->getStaticVariables());
$s = new ReflectionFunction(strlen(...));
var_dump($s->isClosure(), $s->isAnonymous(), $s->isInternal(), $s->getName(), $s->getExtensionName());
$m = new ReflectionFunction($o->whatever(...));
var_dump($m->getName(), $m->invoke(1));
var_dump((new ReflectionMethod($o, 'secret'))->invoke($o, 1), (new ReflectionMethod($o, 'secret'))->invokeArgs($o, ['b' => 3, 'a' => 4]));
var_dump((new ReflectionMethod('Owner::secret'))->getClosure($o)(8));
var_dump((new ReflectionMethod($c, '__invoke'))->invoke($c, 1));

$g = $o->gen(4);
$r = new ReflectionGenerator($g);
foreach ($g as $k => $v) {
    echo "$v at line ", $r->getExecutingLine(), ' ', basename($r->getExecutingFile()), ' ', trace_of($r->getTrace()), ' ', $r->getFunction()->name, "\n";
    var_dump($r->getThis() === $o, $r->getExecutingGenerator() === $g);
}
var_dump($r->isClosed(), $r->getFunction()->class);
try {
    $r->getTrace();
} catch (ReflectionException $e) {
    echo $e->getMessage(), "\n";
}

function pause($x) { return Fiber::suspend($x); }
$f = new Fiber(function ($a) { $r = new ReflectionFiber(Fiber::getCurrent()); echo 'inside ', $r->getExecutingLine(), ' ', trace_of($r->getTrace()), "\n"; pause($a); });
$r = new ReflectionFiber($f);
try {
    $r->getTrace();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
$f->start(1);
echo $r->getExecutingLine(), ' ', trace_of($r->getTrace()), "\n";
var_dump($r->getCallable() instanceof Closure, $r->getFiber() === $f);
$f->resume();
try {
    $r->getCallable();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}

$a = [1, 2, 3];
$ref = &$a[1];
$b = [&$ref];
$x = ReflectionReference::fromArrayElement($a, 1);
var_dump(ReflectionReference::fromArrayElement($a, 0), $x->getId() === ReflectionReference::fromArrayElement($b, 0)->getId(), strlen($x->getId()));

// Named arguments.
class Point { public function __construct(public int $x = 0, public int $y = 0) {} public function sum(int $a, int ...$more) { return [$a, $more]; } }
$r = new ReflectionClass('Point');
var_dump($r->newInstance(y: 2)->y, $r->newInstance(...['x' => 3])->x, $r->newInstanceArgs(['y' => 5])->y);
var_dump(json_encode((new ReflectionMethod('Point', 'sum'))->invoke(new Point, a: 1)), (new ReflectionFunction('str_repeat'))->invoke(times: 2, string: 'ab'));
try {
    $r->newInstance(z: 1);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
