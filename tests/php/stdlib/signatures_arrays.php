<?php
// What Reflection says of builtin functions (arrays).
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
    'array_change_key_case',
    'array_chunk',
    'array_column',
    'array_combine',
    'array_count_values',
    'array_diff',
    'array_diff_assoc',
    'array_diff_key',
    'array_diff_uassoc',
    'array_diff_ukey',
    'array_fill',
    'array_fill_keys',
    'array_filter',
    'array_flip',
    'array_intersect',
    'array_intersect_assoc',
    'array_intersect_key',
    'array_intersect_uassoc',
    'array_intersect_ukey',
    'array_is_list',
    'array_key_exists',
    'array_key_first',
    'array_key_last',
    'array_keys',
    'array_map',
    'array_merge',
    'array_merge_recursive',
    'array_multisort',
    'array_pad',
    'array_pop',
    'array_push',
    'array_rand',
    'array_reduce',
    'array_replace',
    'array_replace_recursive',
    'array_reverse',
    'array_search',
    'array_shift',
    'array_slice',
    'array_splice',
    'array_sum',
    'array_udiff',
    'array_udiff_assoc',
    'array_uintersect',
    'array_unique',
    'array_unshift',
    'array_values',
    'array_walk',
    'array_walk_recursive',
    'arsort',
    'asort',
    'compact',
    'count',
    'current',
    'end',
    'extract',
    'in_array',
    'key',
    'key_exists',
    'krsort',
    'ksort',
    'max',
    'min',
    'natcasesort',
    'natsort',
    'next',
    'prev',
    'range',
    'reset',
    'rsort',
    'shuffle',
    'sizeof',
    'sort',
    'uasort',
    'uksort',
    'usort',
] as $n) echo function_exists($n) ? sig(new ReflectionFunction($n)) : "$n missing", "\n";
