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
    'pathinfo',
    'pclose',
    'popen',
    'proc_close',
    'proc_get_status',
    'proc_open',
    'proc_terminate',
    'readdir',
    'readfile',
    'readlink',
    'realpath',
    'rename',
    'rewind',
    'rmdir',
    'scandir',
    'shell_exec',
    'socket_get_status',
    'socket_set_blocking',
    'socket_set_timeout',
    'stat',
    'stream_bucket_append',
    'stream_bucket_make_writeable',
    'stream_context_create',
    'stream_context_get_options',
    'stream_context_get_params',
    'stream_context_set_option',
    'stream_context_set_options',
    'stream_copy_to_stream',
    'stream_filter_append',
    'stream_filter_register',
    'stream_filter_remove',
    'stream_get_contents',
    'stream_get_meta_data',
    'stream_get_transports',
    'stream_get_wrappers',
    'stream_is_local',
    'stream_isatty',
    'stream_resolve_include_path',
    'stream_select',
    'stream_set_blocking',
    'stream_set_chunk_size',
    'stream_set_timeout',
    'stream_set_write_buffer',
    'stream_socket_accept',
    'stream_socket_client',
    'stream_socket_enable_crypto',
    'stream_socket_get_name',
    'stream_socket_pair',
    'stream_socket_sendto',
    'stream_socket_server',
    'stream_socket_shutdown',
    'stream_wrapper_register',
    'stream_wrapper_restore',
    'stream_wrapper_unregister',
    'symlink',
    'system',
    'tempnam',
    'tmpfile',
    'touch',
    'umask',
    'unlink',
] as $n) echo function_exists($n) ? sig(new ReflectionFunction($n)) : "$n missing", "\n";
