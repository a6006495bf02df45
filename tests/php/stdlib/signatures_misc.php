<?php
// What Reflection says of builtin functions (misc).
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
    'assert',
    'boolval',
    'call_user_func',
    'call_user_func_array',
    'chr',
    'connection_aborted',
    'connection_status',
    'doubleval',
    'error_clear_last',
    'error_get_last',
    'floatval',
    'forward_static_call',
    'get_current_user',
    'get_debug_type',
    'get_html_translation_table',
    'get_include_path',
    'gethostname',
    'getmypid',
    'getrusage',
    'gettype',
    'headers_list',
    'headers_sent',
    'hrtime',
    'http_build_query',
    'http_clear_last_response_headers',
    'http_get_last_response_headers',
    'http_response_code',
    'image_type_to_extension',
    'image_type_to_mime_type',
    'intval',
    'is_array',
    'is_bool',
    'is_callable',
    'is_countable',
    'is_double',
    'is_float',
    'is_int',
    'is_integer',
    'is_iterable',
    'is_long',
    'is_null',
    'is_numeric',
    'is_object',
    'is_resource',
    'is_scalar',
    'is_string',
    'long2ip',
    'memory_get_peak_usage',
    'memory_get_usage',
    'memory_reset_peak_usage',
    'microtime',
    'ob_clean',
    'ob_end_clean',
    'ob_end_flush',
    'ob_flush',
    'ob_get_clean',
    'ob_get_contents',
    'ob_get_flush',
    'ob_get_length',
    'ob_get_level',
    'ob_get_status',
    'ob_list_handlers',
    'ob_start',
    'php_sapi_name',
    'print_r',
    'register_shutdown_function',
    'serialize',
    'setlocale',
    'settype',
    'strval',
    'sys_get_temp_dir',
    'var_dump',
    'var_export',
] as $n) echo function_exists($n) ? sig(new ReflectionFunction($n)) : "$n missing", "\n";
