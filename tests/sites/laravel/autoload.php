<?php

require_once '/w/intl.php';
require_once '/usr/share/php/Illuminate/autoload.php';
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'App\\') && is_file($file = __DIR__ . '/app/' . strtr(substr($class, 4), '\\', '/') . '.php')) {
        require $file;
    }
});
