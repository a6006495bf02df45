<?php
// What Reflection says of builtin functions (mbstring).
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
    'mb_check_encoding',
    'mb_chr',
    'mb_convert_case',
    'mb_convert_encoding',
    'mb_convert_kana',
    'mb_convert_variables',
    'mb_decode_mimeheader',
    'mb_decode_numericentity',
    'mb_detect_encoding',
    'mb_detect_order',
    'mb_encode_mimeheader',
    'mb_encode_numericentity',
    'mb_ereg',
    'mb_eregi',
    'mb_get_info',
    'mb_internal_encoding',
    'mb_list_encodings',
    'mb_ord',
    'mb_regex_encoding',
    'mb_str_pad',
    'mb_str_split',
    'mb_strcut',
    'mb_strimwidth',
    'mb_stripos',
    'mb_strlen',
    'mb_strpos',
    'mb_strripos',
    'mb_strrpos',
    'mb_strstr',
    'mb_strtolower',
    'mb_strtoupper',
    'mb_strwidth',
    'mb_substitute_character',
    'mb_substr',
    'mb_substr_count',
] as $n) echo function_exists($n) ? sig(new ReflectionFunction($n)) : "$n missing", "\n";
