<?php
// What Reflection says of builtin functions (files).
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
    'basename',
    'chdir',
    'chmod',
    'clearstatcache',
    'closedir',
    'copy',
    'dir',
    'dirname',
    'disk_free_space',
    'escapeshellarg',
    'escapeshellcmd',
    'exec',
    'fclose',
    'feof',
    'fflush',
    'fgetc',
    'fgetcsv',
    'fgets',
    'file',
    'file_exists',
    'file_get_contents',
    'file_put_contents',
    'fileatime',
    'filectime',
    'filegroup',
    'fileinode',
    'filemtime',
    'fileowner',
    'fileperms',
    'filesize',
    'filetype',
    'flock',
    'fnmatch',
    'fopen',
    'fpassthru',
    'fprintf',
    'fputcsv',
    'fputs',
    'fread',
    'fseek',
    'fstat',
    'ftell',
    'ftruncate',
    'fwrite',
    'getcwd',
    'glob',
    'is_dir',
    'is_executable',
    'is_file',
    'is_link',
    'is_readable',
    'is_uploaded_file',
    'is_writable',
    'is_writeable',
    'lstat',
    'mkdir',
    'move_uploaded_file',
    'opendir',
    'parse_ini_file',
    'parse_ini_string',
    'passthru',
] as $n) echo function_exists($n) ? sig(new ReflectionFunction($n)) : "$n missing", "\n";
