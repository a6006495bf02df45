<?php
// Types, properties and errors of Reflection.
class Q { 
function f1(iterable $a, ?iterable $b, iterable|int $c, int|string|null|Countable|(Iterator&ArrayAccess)|array|float|callable|bool $d, null|false $e, ?true $f, false|string|int $g, mixed $h, object|null|int $i, (A&B)|null $j, int $k = null, A|B $l = null, self|false $m = null): static|null|int {}
function none(): null {} function nv(): never {} function v(): void {}
}
$m = new ReflectionMethod('Q', 'f1');
function show($t) { 
 if (!$t) { echo "none\n"; return; }
 echo get_class($t), " '", $t, "' null=", (int)$t->allowsNull();
 if ($t instanceof ReflectionNamedType) echo " name=", $t->getName(), " builtin=", (int)$t->isBuiltin(), "\n";
 else { echo " [\n"; foreach ($t->getTypes() as $x) { echo "   "; show($x);} echo " ]\n"; }
}
foreach ($m->getParameters() as $p) show($p->getType());
show($m->getReturnType());
foreach (['none','nv','v'] as $x) show((new ReflectionMethod('Q',$x))->getReturnType());
foreach ($m->getParameters() as $p) echo $p, "\n";
interface XI extends Iterator {}
class RC { public int $a { get => 5; } public $b { get => $this->b; set => $value; } public $c; public int $d; public readonly int $e; public private(set) int $f; protected protected(set) int $g; public function __construct(public readonly array $h = []) {} static $s; static int $st; final protected $fin; }
$o = new RC;
foreach ((new ReflectionClass('RC'))->getProperties() as $p) { 
 echo $p->name, ' ', $p->getModifiers(), ' ', implode(' ', Reflection::getModifierNames($p->getModifiers())), ' init=', var_export($p->isInitialized($o), true), ' def=', var_export($p->hasDefaultValue(), true), ' ', var_export($p->getDefaultValue(), true), ' hooks=', var_export($p->hasHooks(), true), ' virt=', var_export($p->isVirtual(), true), ' prom=', var_export($p->isPromoted(), true), ' ro=', var_export($p->isReadOnly(), true), ' ps=',var_export($p->isPrivateSet(), true), ' prs=',var_export($p->isProtectedSet(), true), ' fin=',var_export($p->isFinal(), true), "\n";
}
try { (new ReflectionProperty('RC','a'))->getRawValue($o); } catch (Error $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','a'))->setRawValue($o, 1); } catch (Error $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','s'))->setRawValue($o, 1); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','s'))->getRawValue($o); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','c'))->getRawValue(new stdClass); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','c'))->getValue(new stdClass); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','c'))->getValue(); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','c'))->setValue(5); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','c'))->setValue(5, 6); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','s'))->setValue(5, 6); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','s'))->setValue(5); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','d'))->getValue($o); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','d'))->setValue($o, 'abc'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','st'))->getValue(); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','c'))->isInitialized(); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { (new ReflectionProperty('RC','c'))->isInitialized(new stdClass); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { unset($pp->name); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
try { new ReflectionProperty('RC','nope'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(),"\n"; }
try { new ReflectionProperty('Nope','nope'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionMethod('Nope','nope'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionMethod('RC','nope'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionMethod('RC::nope'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionMethod('RC'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionMethod(new RC); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionFunction('nope'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionClass('nope'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionEnum('RC'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionClassConstant('RC', 'A'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionConstant('A'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionExtension('A'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionParameter('nope', 1); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionParameter('sort', 5); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionParameter('sort', -1); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionParameter('sort', 'x'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionParameter(['RC','x'], 'x'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionParameter(['RCC','x'], 'x'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionParameter(['RCC'], 'x'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionParameter(1, 'x'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
try { new ReflectionParameter(new RC, 'x'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), $e->getCode(), "\n"; }
$c = new ReflectionClass('RC');
foreach ([fn() => $c->getMethod('zz'), fn() => $c->getProperty('zz'), fn()=>$c->getConstant('zz'), fn()=>$c->getReflectionConstant('zz'), fn()=>$c->getStaticPropertyValue('zz'), fn()=>$c->setStaticPropertyValue('zz',1),fn()=>$c->setStaticPropertyValue('st','x'),fn()=>$c->isSubclassOf('zz'), fn()=>$c->implementsInterface('zz'), fn()=>$c->implementsInterface('RC'), fn()=>(new ReflectionClass('Countable'))->newInstance(), fn()=>(new ReflectionClass('Closure'))->newInstance(), fn()=>(new ReflectionClass('Closure'))->newInstanceWithoutConstructor(),fn()=>(new ReflectionClass('Generator'))->newInstanceWithoutConstructor(), fn()=>(new ReflectionClass('stdClass'))->newInstance(1), fn()=>(new ReflectionClass('stdClass'))->newInstanceArgs([]), fn()=>(new ReflectionClass('ReflectionReference'))->newInstance(), fn()=>(new ReflectionMethod('RC','__construct'))->invoke(new stdClass), fn()=>(new ReflectionMethod('RC','__construct'))->invoke(null), fn()=>(new ReflectionMethod('Countable','count'))->invoke(null), fn()=>(new ReflectionMethod('RC','__construct'))->getPrototype(), fn()=>(new ReflectionMethod('RC','__construct'))->getClosure(), fn()=>(new ReflectionMethod('RC','__construct'))->getClosure(new stdClass), fn()=>$c->newLazyGhost(fn()=>1, 99), fn()=>(new ReflectionParameter('sort',0))->getDefaultValue(),fn()=>(new ReflectionParameter('sort',0))->isDefaultValueConstant(),fn()=>(new ReflectionParameter('sort',1))->getDefaultValueConstantName(), fn()=>clone $c, fn()=>$c->getProperty('RC::c')->name, fn()=>$c->getProperty('Foo::c'), fn()=>$c->getProperty('stdClass::c'), fn()=>$c->getAttributes('zz', 2), fn()=>$c->getAttributes('zz', 3), fn()=>$c->getMethods(999999), fn()=>(new ReflectionNamedType), fn()=>(new ReflectionAttribute), fn()=>(new ReflectionClass), fn()=>ReflectionReference::fromArrayElement([1], 5), fn()=>ReflectionReference::fromArrayElement([1], 0),fn()=>(new class extends ReflectionClass { function __construct() {} })->getName(),fn()=>ReflectionMethod::createFromMethodName('RC'), fn()=>ReflectionMethod::createFromMethodName('RC::x')] as $f) { try { $v = $f(); echo is_object($v) ? get_class($v) : (is_array($v) ? count($v) . " items" : var_export($v, true)), "\n"; } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), ' ', $e->getCode(), "\n"; } }
