<?php
// The constructor of an attribute is called from where the attribute is written, in the mode of that file.
#[Attribute]
class At { function __construct(public int $n = 0) { $this->t = array_map(fn($f) => ($f['class'] ?? '') . '::' . $f['function'] . '@' . ($f['line'] ?? '-'), debug_backtrace()); } public $t; }
#[Attribute(wrong_name: Attribute::TARGET_CLASS)]
class OnlyClass {}
#[At(5)] class X {}
#[At('6')] class Y {}
#[At([])] class Z {}
#[At(n: 1, x: 2)] #[OnlyClass] function f() {}
#[OnlyClass(unknown: 1)] class W {}
echo json_encode((new ReflectionClass('X'))->getAttributes()[0]->newInstance()), "\n";
echo (new ReflectionClass('Y'))->getAttributes()[0]->newInstance()->n, "\n";
foreach ([new ReflectionClass('Z'), new ReflectionFunction('f'), new ReflectionClass('W')] as $r) foreach ($r->getAttributes() as $a) { try { $a->newInstance(); echo "ok\n"; } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), $e instanceof TypeError ? ' at ' . $e->getLine() : '', "\n"; } }
class S1 { private const C = 's1'; static function make() { return #[At(self::C, self::class)] function () {}; } } class S2 { private const C = 's2'; }
echo json_encode((new ReflectionFunction(S1::make()))->getAttributes()[0]->getArguments()), json_encode((new ReflectionFunction(S1::make()->bindTo(null, 'S2')))->getAttributes()[0]->getArguments()), "\n";
