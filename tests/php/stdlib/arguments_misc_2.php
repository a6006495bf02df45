<?php
// ArgumentCountError and TypeError of builtins (misc): too few, too many, each argument of a wrong type.
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
t('is_integer too few', fn() => is_integer());
t('is_integer too many', fn() => is_integer(null, null));
t('is_iterable too few', fn() => is_iterable());
t('is_iterable too many', fn() => is_iterable(null, null));
t('is_long too few', fn() => is_long());
t('is_long too many', fn() => is_long(null, null));
t('is_null too few', fn() => is_null());
t('is_null too many', fn() => is_null(null, null));
t('is_numeric too few', fn() => is_numeric());
t('is_numeric too many', fn() => is_numeric(null, null));
t('is_object too few', fn() => is_object());
t('is_object too many', fn() => is_object(null, null));
t('is_resource too few', fn() => is_resource());
t('is_resource too many', fn() => is_resource(null, null));
t('is_scalar too few', fn() => is_scalar());
t('is_scalar too many', fn() => is_scalar(null, null));
t('is_string too few', fn() => is_string());
t('is_string too many', fn() => is_string(null, null));
t('long2ip too few', fn() => long2ip());
t('long2ip too many', fn() => long2ip(1, null));
t('long2ip #1', fn() => long2ip([]));
t('memory_get_peak_usage too many', fn() => memory_get_peak_usage(true, null));
t('memory_get_peak_usage #1', fn() => memory_get_peak_usage([]));
t('memory_get_usage too many', fn() => memory_get_usage(true, null));
t('memory_get_usage #1', fn() => memory_get_usage([]));
t('memory_reset_peak_usage too many', fn() => memory_reset_peak_usage(null));
t('microtime too many', fn() => microtime(true, null));
t('microtime #1', fn() => microtime([]));
t('ob_clean too many', fn() => ob_clean(null));
t('ob_end_clean too many', fn() => ob_end_clean(null));
t('ob_end_flush too many', fn() => ob_end_flush(null));
t('ob_flush too many', fn() => ob_flush(null));
t('ob_get_clean too many', fn() => ob_get_clean(null));
t('ob_get_contents too many', fn() => ob_get_contents(null));
t('ob_get_flush too many', fn() => ob_get_flush(null));
t('ob_get_length too many', fn() => ob_get_length(null));
t('ob_get_level too many', fn() => ob_get_level(null));
t('ob_get_status too many', fn() => ob_get_status(true, null));
t('ob_get_status #1', fn() => ob_get_status([]));
t('ob_list_handlers too many', fn() => ob_list_handlers(null));
t('ob_start too many', fn() => ob_start(null, 1, 1, null));
t('ob_start #2', fn() => ob_start(null, []));
t('ob_start #3', fn() => ob_start(null, 1, []));
t('php_sapi_name too many', fn() => php_sapi_name(null));
t('print_r too few', fn() => print_r());
t('print_r too many', fn() => print_r(null, true, null));
t('print_r #2', fn() => print_r(null, []));
t('register_shutdown_function too few', fn() => register_shutdown_function());
t('register_shutdown_function #1', fn() => register_shutdown_function('no_such_function'));
t('serialize too few', fn() => serialize());
t('serialize too many', fn() => serialize(null, null));
t('setlocale too few', fn() => setlocale(1));
t('setlocale #1', fn() => setlocale([], null));
t('settype too few', function () { $r0 = null; return settype($r0); });
t('settype too many', function () { $r0 = null; return settype($r0, 'a', null); });
t('settype #2', function () { $r0 = null; return settype($r0, []); });
t('strval too few', fn() => strval());
t('strval too many', fn() => strval(null, null));
t('sys_get_temp_dir too many', fn() => sys_get_temp_dir(null));
t('var_dump too few', fn() => var_dump());
t('var_export too few', fn() => var_export());
t('var_export too many', fn() => var_export(null, true, null));
t('var_export #2', fn() => var_export(null, []));
