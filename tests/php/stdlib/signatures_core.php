<?php
// What Reflection says of builtin functions (core).
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
    'class_alias',
    'class_exists',
    'debug_backtrace',
    'define',
    'defined',
    'enum_exists',
    'error_reporting',
    'extension_loaded',
    'function_exists',
    'gc_collect_cycles',
    'gc_disable',
    'gc_enable',
    'gc_enabled',
    'gc_mem_caches',
    'gc_status',
    'get_called_class',
    'get_class',
    'get_class_methods',
    'get_class_vars',
    'get_declared_classes',
    'get_declared_interfaces',
    'get_declared_traits',
    'get_defined_constants',
    'get_defined_functions',
    'get_defined_vars',
    'get_included_files',
    'get_loaded_extensions',
    'get_object_vars',
    'get_parent_class',
    'get_resource_type',
    'interface_exists',
    'is_a',
    'is_subclass_of',
    'method_exists',
    'property_exists',
    'restore_error_handler',
    'restore_exception_handler',
    'set_error_handler',
    'set_exception_handler',
    'strcasecmp',
    'strcmp',
    'strlen',
    'strncasecmp',
    'strncmp',
    'trait_exists',
    'trigger_error',
    'zend_version',
] as $n) echo function_exists($n) ? sig(new ReflectionFunction($n)) : "$n missing", "\n";
