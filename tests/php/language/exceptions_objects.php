<?php
// The Exception classes themselves: constructor, accessors, chain, trace, string form.
function thrower($x) { throw new RuntimeException('msg', 42, new InvalidArgumentException('prev')); }
class K { function m(...$a) { thrower(...$a); } static function s() { (new self)->m(1, 'str', [1], null, 1.5, new stdClass, true); } }
try { K::s(); } catch (RuntimeException $e) {
    echo $e->getMessage(), $e->getCode(), basename($e->getFile()), $e->getLine(), get_class($e->getPrevious()), "\n";
    foreach ($e->getTrace() as $f) echo ($f['class'] ?? '') . ($f['type'] ?? '') . $f['function'], ':', $f['line'] ?? '-', ' args ', count($f['args'] ?? []), "\n";
    echo str_replace(__DIR__, '', $e->getTraceAsString()), "\n";
    echo $e, "\n";
}
class My extends Exception { protected $code = 'strcode'; protected $message = 'default message'; public function __construct() {} }
$m = new My; var_dump($m->getMessage(), $m->getCode());
class My2 extends Exception { function __construct(public readonly string $extra) { parent::__construct("<$extra>"); } function __toString(): string { return 'custom ' . $this->extra; } }
try { throw new My2('x'); } catch (My2 $e) { echo $e, ' ', $e->getMessage(), "\n"; }
try { new Exception([]); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
try { new Exception('a', 'b'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
$e = new ErrorException('ee', 1, E_USER_WARNING, 'file.php', 77); var_dump($e->getSeverity(), $e->getFile(), $e->getLine());
echo (new Error('named', previous: new Exception('p')))->getPrevious()->getMessage(), "\n";
try { class_exists('Y') || throw new class('anon') extends Exception {}; } catch (Exception $e) { echo str_starts_with(get_class($e), 'Exception@anonymous') ? 'anon ok' : 'no', ' ', $e->getMessage(), "\n"; }
foreach (['ArithmeticError', 'DivisionByZeroError', 'ArgumentCountError', 'TypeError', 'ValueError', 'UnhandledMatchError', 'AssertionError', 'ParseError', 'CompileError', 'LogicException', 'BadFunctionCallException', 'BadMethodCallException', 'DomainException', 'InvalidArgumentException', 'LengthException', 'OutOfRangeException', 'RuntimeException', 'OutOfBoundsException', 'OverflowException', 'RangeException', 'UnderflowException', 'UnexpectedValueException', 'JsonException', 'ErrorException'] as $c) echo $c, '<', get_parent_class($c), ' '; echo "\n";
try { 1 % 0; } catch (DivisionByZeroError $e) { echo $e->getMessage(), "\n"; }
try { intdiv(1, 0); } catch (DivisionByZeroError $e) { echo $e->getMessage(), "\n"; }
try { 1 / 0; } catch (DivisionByZeroError $e) { echo $e->getMessage(), "\n"; }
try { intdiv(PHP_INT_MIN, -1); } catch (ArithmeticError $e) { echo $e->getMessage(), "\n"; }
try { 1 << -1; } catch (ArithmeticError $e) { echo $e->getMessage(), "\n"; }
try { throw new Exception(code: 5, message: 'n'); } catch (Exception $e) { echo $e->getCode(), "\n"; }
try { clone new Exception; } catch (Error $e) { echo $e->getMessage(), "\n"; }
$a = new Exception('outer', 0, new Exception('middle', 0, new Error('root'))); for ($p = $a, $n = 0; $p; $p = $p->getPrevious()) echo $n++, get_class($p), $p->getMessage(), ' '; echo "\n";
print_r(array_map(fn($p) => $p->getName() . ':' . implode(' ', Reflection::getModifierNames($p->getModifiers())), (new ReflectionClass('Exception'))->getProperties()));
class NoCtor extends Exception { function __construct($a) {} } $n = new NoCtor(1); var_dump($n->getMessage(), $n->getCode(), $n->getPrevious(), $n->getLine());
