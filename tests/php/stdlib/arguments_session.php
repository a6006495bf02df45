<?php
// ArgumentCountError and TypeError of builtins (session): too few, too many, each argument of a wrong type.
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
t('session_abort too many', fn() => session_abort(null));
t('session_cache_limiter too many', fn() => session_cache_limiter('a', null));
t('session_cache_limiter #1', fn() => session_cache_limiter([]));
t('session_create_id too many', fn() => session_create_id('a', null));
t('session_create_id #1', fn() => session_create_id([]));
t('session_decode too few', fn() => session_decode());
t('session_decode too many', fn() => session_decode('a', null));
t('session_decode #1', fn() => session_decode([]));
t('session_destroy too many', fn() => session_destroy(null));
t('session_get_cookie_params too many', fn() => session_get_cookie_params(null));
t('session_id too many', fn() => session_id('a', null));
t('session_id #1', fn() => session_id([]));
t('session_name too many', fn() => session_name('a', null));
t('session_name #1', fn() => session_name([]));
t('session_regenerate_id too many', fn() => session_regenerate_id(true, null));
t('session_regenerate_id #1', fn() => session_regenerate_id([]));
t('session_register_shutdown too many', fn() => session_register_shutdown(null));
t('session_save_path too many', fn() => session_save_path('a', null));
t('session_save_path #1', fn() => session_save_path([]));
t('session_set_cookie_params too few', fn() => session_set_cookie_params());
t('session_set_cookie_params too many', fn() => session_set_cookie_params([], 'a', 'a', true, true, null));
t('session_set_cookie_params #1', fn() => session_set_cookie_params('str'));
t('session_set_cookie_params #2', fn() => session_set_cookie_params([], []));
t('session_set_cookie_params #3', fn() => session_set_cookie_params([], 'a', []));
t('session_set_cookie_params #4', fn() => session_set_cookie_params([], 'a', 'a', []));
t('session_set_cookie_params #5', fn() => session_set_cookie_params([], 'a', 'a', true, []));
t('session_set_save_handler too few', fn() => session_set_save_handler());
t('session_set_save_handler too many', fn() => session_set_save_handler(null, null, 'strlen', 'strlen', 'strlen', 'strlen', 'strlen', 'strlen', 'strlen', null));
t('session_set_save_handler #3', fn() => session_set_save_handler(null, null, 'no_such_function'));
t('session_set_save_handler #4', fn() => session_set_save_handler(null, null, 'strlen', 'no_such_function'));
t('session_set_save_handler #5', fn() => session_set_save_handler(null, null, 'strlen', 'strlen', 'no_such_function'));
t('session_set_save_handler #6', fn() => session_set_save_handler(null, null, 'strlen', 'strlen', 'strlen', 'no_such_function'));
t('session_set_save_handler #7', fn() => session_set_save_handler(null, null, 'strlen', 'strlen', 'strlen', 'strlen', 'no_such_function'));
t('session_set_save_handler #8', fn() => session_set_save_handler(null, null, 'strlen', 'strlen', 'strlen', 'strlen', 'strlen', 'no_such_function'));
t('session_set_save_handler #9', fn() => session_set_save_handler(null, null, 'strlen', 'strlen', 'strlen', 'strlen', 'strlen', 'strlen', 'no_such_function'));
t('session_start too many', fn() => session_start([], null));
t('session_start #1', fn() => session_start('str'));
t('session_status too many', fn() => session_status(null));
t('session_unset too many', fn() => session_unset(null));
t('session_write_close too many', fn() => session_write_close(null));
