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
    'addcslashes',
    'addslashes',
    'base64_decode',
    'base64_encode',
    'bin2hex',
    'chop',
    'chunk_split',
    'cli_set_process_title',
    'constant',
    'convert_uudecode',
    'convert_uuencode',
    'count_chars',
    'crc32',
    'crypt',
    'explode',
    'get_cfg_var',
    'get_headers',
    'getenv',
    'getimagesize',
    'getservbyname',
    'header',
    'header_remove',
    'hex2bin',
    'highlight_file',
    'highlight_string',
    'html_entity_decode',
    'htmlentities',
    'htmlspecialchars',
    'htmlspecialchars_decode',
    'implode',
    'inet_ntop',
    'inet_pton',
    'ini_get',
    'ini_get_all',
    'ini_restore',
    'ini_set',
    'ip2long',
    'iptcparse',
    'join',
    'lcfirst',
    'levenshtein',
    'ltrim',
    'md5',
    'md5_file',
    'nl2br',
    'ord',
    'pack',
    'parse_str',
    'parse_url',
    'password_get_info',
    'password_hash',
    'password_needs_rehash',
    'password_verify',
    'php_strip_whitespace',
    'phpversion',
    'printf',
    'putenv',
    'quoted_printable_decode',
    'quoted_printable_encode',
] as $n) echo function_exists($n) ? sig(new ReflectionFunction($n)) : "$n missing", "\n";
