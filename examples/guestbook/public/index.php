<?php

declare(strict_types=1);

// Every path that is no file comes here.

spl_autoload_register(static function (string $class): void {
    $prefix = 'Guestbook\\';
    if (str_starts_with($class, $prefix)) {
        $file = dirname(__DIR__) . '/src/' . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});

$data = getenv('GUESTBOOK_DATA') ?: dirname(__DIR__) . '/data';

(new Guestbook\App(
    store: new Guestbook\Store($data . '/entries.sqlite'),
    avatars: new Guestbook\Avatars($data . '/avatars'),
    session: new Guestbook\Session($data . '/sessions'),
    view: new Guestbook\View(dirname(__DIR__) . '/templates'),
    // The default password is "guestbook".
    passwordHash: getenv('GUESTBOOK_PASSWORD_HASH') ?: '$2y$10$8RhcAgcVvyDYtg2RWtW9/OoaVjgTm59ejTV7FLbLZpUkBcBe48Tnu',
))->run($_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI']);
