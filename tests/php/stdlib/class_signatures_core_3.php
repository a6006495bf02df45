<?php
// What Reflection says of builtin classes (Core).
// Written from the signatures: names, types and defaults as stock PHP 8.4 reports them.
function type(?ReflectionType $t): string { return $t === null ? '-' : (string) $t; }
function dflt(ReflectionParameter $p): string
{
    if (!$p->isDefaultValueAvailable()) return $p->isOptional() && !$p->isVariadic() ? ' = ?' : '';
    return ' = ' . ($p->isDefaultValueConstant() ? $p->getDefaultValueConstantName() : str_replace("\n", '', var_export($p->getDefaultValue(), true)));
}
function sig(ReflectionFunctionAbstract $f): string
{
    $ps = [];
    foreach ($f->getParameters() as $p) $ps[] = type($p->getType()) . ' ' . ($p->isPassedByReference() ? '&' : '') . ($p->isVariadic() ? '...' : '') . '$' . $p->getName() . dflt($p);
    $r = $f->hasReturnType() ? type($f->getReturnType()) : ($f->hasTentativeReturnType() ? '~' . type($f->getTentativeReturnType()) : '-');
    return $f->getName() . '(' . implode(', ', $ps) . '): ' . $r . ($f->isDeprecated() ? ' deprecated' : '');
}
foreach ([
    'SensitiveParameterValue',
    'Serializable',
    'Stringable',
    'Throwable',
    'Traversable',
    'TypeError',
    'UnhandledMatchError',
    'UnitEnum',
    'ValueError',
    'WeakMap',
    'WeakReference',
    'stdClass',
] as $n) {
    if (!class_exists($n) && !interface_exists($n)) { echo "$n missing\n"; continue; }
    $c = new ReflectionClass($n);
    $i = $c->getInterfaceNames();
    sort($i);
    echo '== ', implode(' ', Reflection::getModifierNames($c->getModifiers())), $c->isInterface() ? 'interface' : ($c->isEnum() ? 'enum' : ' class'), " $n", ($p = $c->getParentClass()) ? " extends {$p->name}" : '', $i ? ' implements ' . implode(', ', $i) : '', "\n";
    $lines = [];
    foreach ($c->getReflectionConstants() as $k) if ($k->class === $n) $lines[] = 'const ' . $k->getName() . ' = ' . (is_object($v = $k->getValue()) ? get_debug_type($v) : str_replace("\n", '', var_export($v, true)));
    foreach ($c->getProperties() as $p) if ($p->class === $n) $lines[] = implode(' ', Reflection::getModifierNames($p->getModifiers())) . ' ' . type($p->getType()) . ' $' . $p->getName();
    foreach ($c->getMethods() as $m) if ($m->class === $n) $lines[] = implode(' ', Reflection::getModifierNames($m->getModifiers())) . ' ' . sig($m);
    sort($lines);
    foreach ($lines as $l) echo '  ', $l, "\n";
}
