<?php
// What Reflection says of builtin functions (strings).
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
    'rawurldecode',
    'rawurlencode',
    'rtrim',
    'set_include_path',
    'setcookie',
    'setrawcookie',
    'sha1',
    'sha1_file',
    'similar_text',
    'sprintf',
    'sscanf',
    'str_contains',
    'str_ends_with',
    'str_getcsv',
    'str_increment',
    'str_ireplace',
    'str_pad',
    'str_repeat',
    'str_replace',
    'str_shuffle',
    'str_split',
    'str_starts_with',
    'str_word_count',
    'strcoll',
    'strcspn',
    'strip_tags',
    'stripcslashes',
    'stripos',
    'stripslashes',
    'stristr',
    'strnatcasecmp',
    'strnatcmp',
    'strpbrk',
    'strpos',
    'strrchr',
    'strrev',
    'strripos',
    'strrpos',
    'strspn',
    'strstr',
    'strtok',
    'strtolower',
    'strtoupper',
    'strtr',
    'substr',
    'substr_compare',
    'substr_count',
    'substr_replace',
    'trim',
    'ucfirst',
    'ucwords',
    'uniqid',
    'unpack',
    'unserialize',
    'urldecode',
    'urlencode',
    'version_compare',
    'vsprintf',
    'wordwrap',
] as $n) echo function_exists($n) ? sig(new ReflectionFunction($n)) : "$n missing", "\n";
