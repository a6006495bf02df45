<?php
// What Reflection says of builtin functions (math).
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
    'abs',
    'acos',
    'asin',
    'atan',
    'base_convert',
    'bindec',
    'ceil',
    'cos',
    'decbin',
    'dechex',
    'decoct',
    'deg2rad',
    'exp',
    'floor',
    'fmod',
    'hexdec',
    'intdiv',
    'is_finite',
    'is_infinite',
    'is_nan',
    'log',
    'log10',
    'number_format',
    'octdec',
    'pi',
    'pow',
    'rad2deg',
    'round',
    'sin',
    'sqrt',
    'tan',
] as $n) echo function_exists($n) ? sig(new ReflectionFunction($n)) : "$n missing", "\n";
