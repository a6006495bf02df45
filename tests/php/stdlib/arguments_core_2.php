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
t('get_defined_vars too many', fn() => get_defined_vars(null));
t('get_included_files too many', fn() => get_included_files(null));
t('get_loaded_extensions too many', fn() => get_loaded_extensions(true, null));
t('get_loaded_extensions #1', fn() => get_loaded_extensions([]));
t('get_object_vars too few', fn() => get_object_vars());
t('get_object_vars too many', fn() => get_object_vars(new stdClass, null));
t('get_object_vars #1', fn() => get_object_vars('str'));
t('get_parent_class too many', fn() => get_parent_class(new stdClass, null));
t('get_parent_class #1', fn() => get_parent_class('str'));
t('get_resource_type too few', fn() => get_resource_type());
t('get_resource_type too many', fn() => get_resource_type(null, null));
t('interface_exists too few', fn() => interface_exists());
t('interface_exists too many', fn() => interface_exists('a', true, null));
t('interface_exists #1', fn() => interface_exists([]));
t('interface_exists #2', fn() => interface_exists('a', []));
t('is_a too few', fn() => is_a(null));
t('is_a too many', fn() => is_a(null, 'a', true, null));
t('is_a #2', fn() => is_a(null, []));
t('is_a #3', fn() => is_a(null, 'a', []));
t('is_subclass_of too few', fn() => is_subclass_of(null));
t('is_subclass_of too many', fn() => is_subclass_of(null, 'a', true, null));
t('is_subclass_of #2', fn() => is_subclass_of(null, []));
t('is_subclass_of #3', fn() => is_subclass_of(null, 'a', []));
t('method_exists too few', fn() => method_exists(null));
t('method_exists too many', fn() => method_exists(null, 'a', null));
t('method_exists #2', fn() => method_exists(null, []));
t('property_exists too few', fn() => property_exists(null));
t('property_exists too many', fn() => property_exists(null, 'a', null));
t('property_exists #2', fn() => property_exists(null, []));
t('restore_error_handler too many', fn() => restore_error_handler(null));
t('restore_exception_handler too many', fn() => restore_exception_handler(null));
t('set_error_handler too few', fn() => set_error_handler());
t('set_error_handler too many', fn() => set_error_handler('strlen', 1, null));
t('set_error_handler #1', fn() => set_error_handler('no_such_function'));
t('set_error_handler #2', fn() => set_error_handler('strlen', []));
t('set_exception_handler too few', fn() => set_exception_handler());
t('set_exception_handler too many', fn() => set_exception_handler('strlen', null));
t('set_exception_handler #1', fn() => set_exception_handler('no_such_function'));
t('strcasecmp too few', fn() => strcasecmp('a'));
t('strcasecmp too many', fn() => strcasecmp('a', 'a', null));
t('strcasecmp #1', fn() => strcasecmp([], 'a'));
t('strcasecmp #2', fn() => strcasecmp('a', []));
t('strcmp too few', fn() => strcmp('a'));
t('strcmp too many', fn() => strcmp('a', 'a', null));
t('strcmp #1', fn() => strcmp([], 'a'));
t('strcmp #2', fn() => strcmp('a', []));
t('strlen too few', fn() => strlen());
t('strlen too many', fn() => strlen('a', null));
t('strlen #1', fn() => strlen([]));
t('strncasecmp too few', fn() => strncasecmp('a', 'a'));
t('strncasecmp too many', fn() => strncasecmp('a', 'a', 1, null));
t('strncasecmp #1', fn() => strncasecmp([], 'a', 1));
t('strncasecmp #2', fn() => strncasecmp('a', [], 1));
t('strncasecmp #3', fn() => strncasecmp('a', 'a', []));
t('strncmp too few', fn() => strncmp('a', 'a'));
t('strncmp too many', fn() => strncmp('a', 'a', 1, null));
t('strncmp #1', fn() => strncmp([], 'a', 1));
t('strncmp #2', fn() => strncmp('a', [], 1));
t('strncmp #3', fn() => strncmp('a', 'a', []));
t('trait_exists too few', fn() => trait_exists());
t('trait_exists too many', fn() => trait_exists('a', true, null));
t('trait_exists #1', fn() => trait_exists([]));
t('trait_exists #2', fn() => trait_exists('a', []));
t('trigger_error too few', fn() => trigger_error());
t('trigger_error too many', fn() => trigger_error('a', 1, null));
t('trigger_error #1', fn() => trigger_error([]));
t('trigger_error #2', fn() => trigger_error('a', []));
t('zend_version too many', fn() => zend_version(null));
