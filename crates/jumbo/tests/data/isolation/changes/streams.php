<?php
class Wrapper { public $context; } class Filter extends php_user_filter {}
stream_wrapper_register('left', 'Wrapper'); stream_wrapper_unregister('http'); stream_wrapper_unregister('file'); stream_wrapper_register('file', 'Wrapper'); stream_filter_register('left.*', 'Filter');
stream_context_set_default(['http' => ['user_agent' => 'left']]); for ($i = 0; $i < 50; $i++) $open[] = fopen('php://memory', 'w'); @fopen('left://x', 'r'); $s = stream_socket_server('tcp://127.0.0.1:0');
