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
t('assert too few', fn() => assert());
t('assert too many', fn() => assert(null, 'a', null));
t('assert #2', fn() => assert(null, new stdClass));
t('boolval too few', fn() => boolval());
t('boolval too many', fn() => boolval(null, null));
t('call_user_func too few', fn() => call_user_func());
t('call_user_func #1', fn() => call_user_func('no_such_function'));
t('call_user_func_array too few', fn() => call_user_func_array('strlen'));
t('call_user_func_array too many', fn() => call_user_func_array('strlen', [], null));
t('call_user_func_array #1', fn() => call_user_func_array('no_such_function', []));
t('call_user_func_array #2', fn() => call_user_func_array('strlen', 'str'));
t('chr too few', fn() => chr());
t('chr too many', fn() => chr(1, null));
t('chr #1', fn() => chr([]));
t('connection_aborted too many', fn() => connection_aborted(null));
t('connection_status too many', fn() => connection_status(null));
t('doubleval too few', fn() => doubleval());
t('doubleval too many', fn() => doubleval(null, null));
t('error_clear_last too many', fn() => error_clear_last(null));
t('error_get_last too many', fn() => error_get_last(null));
t('floatval too few', fn() => floatval());
t('floatval too many', fn() => floatval(null, null));
t('forward_static_call too few', fn() => forward_static_call());
t('forward_static_call #1', fn() => forward_static_call('no_such_function'));
t('get_current_user too many', fn() => get_current_user(null));
t('get_debug_type too few', fn() => get_debug_type());
t('get_debug_type too many', fn() => get_debug_type(null, null));
t('get_html_translation_table too many', fn() => get_html_translation_table(1, 1, 'a', null));
t('get_html_translation_table #1', fn() => get_html_translation_table([]));
t('get_html_translation_table #2', fn() => get_html_translation_table(1, []));
t('get_html_translation_table #3', fn() => get_html_translation_table(1, 1, []));
t('get_include_path too many', fn() => get_include_path(null));
t('gethostname too many', fn() => gethostname(null));
t('getmypid too many', fn() => getmypid(null));
t('getrusage too many', fn() => getrusage(1, null));
t('getrusage #1', fn() => getrusage([]));
t('gettype too few', fn() => gettype());
t('gettype too many', fn() => gettype(null, null));
t('headers_list too many', fn() => headers_list(null));
t('headers_sent too many', function () { $r0 = null; $r1 = null; return headers_sent($r0, $r1, null); });
t('hrtime too many', fn() => hrtime(true, null));
t('hrtime #1', fn() => hrtime([]));
t('http_build_query too few', fn() => http_build_query());
t('http_build_query too many', fn() => http_build_query(new stdClass, 'a', 'a', 1, null));
t('http_build_query #1', fn() => http_build_query('str'));
t('http_build_query #2', fn() => http_build_query(new stdClass, []));
t('http_build_query #3', fn() => http_build_query(new stdClass, 'a', []));
t('http_build_query #4', fn() => http_build_query(new stdClass, 'a', 'a', []));
t('http_clear_last_response_headers too many', fn() => http_clear_last_response_headers(null));
t('http_get_last_response_headers too many', fn() => http_get_last_response_headers(null));
t('http_response_code too many', fn() => http_response_code(1, null));
t('http_response_code #1', fn() => http_response_code([]));
t('image_type_to_extension too few', fn() => image_type_to_extension());
t('image_type_to_extension too many', fn() => image_type_to_extension(1, true, null));
t('image_type_to_extension #1', fn() => image_type_to_extension([]));
t('image_type_to_extension #2', fn() => image_type_to_extension(1, []));
t('image_type_to_mime_type too few', fn() => image_type_to_mime_type());
t('image_type_to_mime_type too many', fn() => image_type_to_mime_type(1, null));
t('image_type_to_mime_type #1', fn() => image_type_to_mime_type([]));
t('intval too few', fn() => intval());
t('intval too many', fn() => intval(null, 1, null));
t('intval #2', fn() => intval(null, []));
t('is_array too few', fn() => is_array());
t('is_array too many', fn() => is_array(null, null));
t('is_bool too few', fn() => is_bool());
t('is_bool too many', fn() => is_bool(null, null));
t('is_callable too few', fn() => is_callable());
t('is_callable too many', function () { $r2 = null; return is_callable(null, true, $r2, null); });
t('is_callable #2', fn() => is_callable(null, []));
t('is_countable too few', fn() => is_countable());
t('is_countable too many', fn() => is_countable(null, null));
t('is_double too few', fn() => is_double());
t('is_double too many', fn() => is_double(null, null));
t('is_float too few', fn() => is_float());
t('is_float too many', fn() => is_float(null, null));
t('is_int too few', fn() => is_int());
t('is_int too many', fn() => is_int(null, null));
