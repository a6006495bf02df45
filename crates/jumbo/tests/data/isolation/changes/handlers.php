<?php
set_error_handler(fn() => true); set_exception_handler(fn() => null); register_shutdown_function(fn() => ob_start());
header_register_callback(fn() => header('X-Left: 1')); spl_autoload_register(fn() => null); ob_start(fn($b) => $b); ob_start(); ob_implicit_flush(1); output_add_rewrite_var('a', 'b');
@trigger_error('left'); json_decode('{'); @preg_match('/(?:\D+|<\d+>)*[!?]/', 'foobar foobar foobar');
ini_set('unserialize_callback_func', 'left'); ignore_user_abort(true); http_response_code(418); header('X-Left: 2'); setcookie('left', '1'); strtok('a b c', ' ');
iterator_apply(new ArrayIterator([1]), fn() => @assert(true)); @assert_options(ASSERT_EXCEPTION, 0);
