<?php
// What Reflection says of builtin functions (small extensions).
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
    'class_implements',
    'class_parents',
    'class_uses',
    'ctype_alnum',
    'ctype_alpha',
    'ctype_digit',
    'ctype_lower',
    'ctype_space',
    'ctype_upper',
    'ctype_xdigit',
    'filter_var',
    'iterator_count',
    'iterator_to_array',
    'json_decode',
    'json_encode',
    'json_last_error',
    'json_last_error_msg',
    'json_validate',
    'preg_filter',
    'preg_grep',
    'preg_last_error',
    'preg_last_error_msg',
    'preg_match',
    'preg_match_all',
    'preg_quote',
    'preg_replace',
    'preg_replace_callback',
    'preg_split',
    'spl_autoload_functions',
    'spl_autoload_register',
    'spl_autoload_unregister',
    'spl_object_hash',
    'spl_object_id',
    'token_get_all',
    'token_name',
] as $n) echo function_exists($n) ? sig(new ReflectionFunction($n)) : "$n missing", "\n";
