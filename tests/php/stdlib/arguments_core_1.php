<?php
// ArgumentCountError and TypeError of builtins (core): too few, too many, each argument of a wrong type.
// Written from the signatures: names, types and defaults as stock PHP 8.4 reports them.

function t(string $call, Closure $f): void
{
    try {
        $r = $f();
        echo $call, ' returned ', get_debug_type($r), "\n";
    } catch (Throwable $e) {
        echo $call, ' ', $e::class, ': ', $e->getMessage(), "\n";
    }
}
set_error_handler(function (int $no, string $msg): bool { echo "<$msg> "; return true; });
t('class_alias too few', fn() => class_alias('a'));
t('class_alias too many', fn() => class_alias('a', 'a', true, null));
t('class_alias #1', fn() => class_alias([], 'a'));
t('class_alias #2', fn() => class_alias('a', []));
t('class_alias #3', fn() => class_alias('a', 'a', []));
t('class_exists too few', fn() => class_exists());
t('class_exists too many', fn() => class_exists('a', true, null));
t('class_exists #1', fn() => class_exists([]));
t('class_exists #2', fn() => class_exists('a', []));
t('debug_backtrace too many', fn() => debug_backtrace(1, 1, null));
t('debug_backtrace #1', fn() => debug_backtrace([]));
t('debug_backtrace #2', fn() => debug_backtrace(1, []));
t('define too few', fn() => define('a'));
t('define too many', fn() => define('a', null, true, null));
t('define #1', fn() => define([], null));
t('define #3', fn() => define('a', null, []));
t('defined too few', fn() => defined());
t('defined too many', fn() => defined('a', null));
t('defined #1', fn() => defined([]));
t('enum_exists too few', fn() => enum_exists());
t('enum_exists too many', fn() => enum_exists('a', true, null));
t('enum_exists #1', fn() => enum_exists([]));
t('enum_exists #2', fn() => enum_exists('a', []));
t('error_reporting too many', fn() => error_reporting(1, null));
t('error_reporting #1', fn() => error_reporting([]));
t('extension_loaded too few', fn() => extension_loaded());
t('extension_loaded too many', fn() => extension_loaded('a', null));
t('extension_loaded #1', fn() => extension_loaded([]));
t('function_exists too few', fn() => function_exists());
t('function_exists too many', fn() => function_exists('a', null));
t('function_exists #1', fn() => function_exists([]));
t('gc_collect_cycles too many', fn() => gc_collect_cycles(null));
t('gc_disable too many', fn() => gc_disable(null));
t('gc_enable too many', fn() => gc_enable(null));
t('gc_enabled too many', fn() => gc_enabled(null));
t('gc_mem_caches too many', fn() => gc_mem_caches(null));
t('gc_status too many', fn() => gc_status(null));
t('get_called_class too many', fn() => get_called_class(null));
t('get_class too many', fn() => get_class(new stdClass, null));
t('get_class #1', fn() => get_class('str'));
t('get_class_methods too few', fn() => get_class_methods());
t('get_class_methods too many', fn() => get_class_methods(new stdClass, null));
t('get_class_methods #1', fn() => get_class_methods('str'));
t('get_class_vars too few', fn() => get_class_vars());
t('get_class_vars too many', fn() => get_class_vars('a', null));
t('get_class_vars #1', fn() => get_class_vars([]));
t('get_declared_classes too many', fn() => get_declared_classes(null));
t('get_declared_interfaces too many', fn() => get_declared_interfaces(null));
t('get_declared_traits too many', fn() => get_declared_traits(null));
t('get_defined_constants too many', fn() => get_defined_constants(true, null));
t('get_defined_constants #1', fn() => get_defined_constants([]));
t('get_defined_functions too many', fn() => get_defined_functions(true, null));
t('get_defined_functions #1', fn() => get_defined_functions([]));
