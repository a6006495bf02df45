<?php

return [
    'driver' => 'file', 'lifetime' => 120, 'expire_on_close' => false, 'encrypt' => false, 'files' => storage_path('framework/sessions'), 'connection' => null, 'table' => 'sessions',
    'store' => null, 'lottery' => [0, 100], 'cookie' => 'books_session', 'path' => '/', 'domain' => null, 'secure' => null, 'http_only' => true, 'same_site' => 'lax',
];
