<?php

declare(strict_types=1);

namespace Guestbook;

/** The visitor's session: who is logged in, the CSRF token, and messages for the next page. */
final class Session
{
    public function __construct(private readonly string $folder)
    {
    }

    public function start(): void
    {
        if (!is_dir($this->folder)) {
            mkdir($this->folder, 0o700, true);
        }
        session_save_path($this->folder);
        session_name('guestbook');
        session_start(['cookie_httponly' => true, 'cookie_samesite' => 'Lax', 'use_strict_mode' => true]);
    }

    public function isAdmin(): bool
    {
        return $_SESSION['admin'] ?? false;
    }

    /** A new id, so that one planted before the login is worth nothing. */
    public function login(): void
    {
        session_regenerate_id(true);
        $_SESSION['admin'] = true;
        unset($_SESSION['token']);
    }

    public function logout(): void
    {
        $_SESSION = [];
        session_regenerate_id(true);
    }

    public function token(): string
    {
        return $_SESSION['token'] ??= bin2hex(random_bytes(16));
    }

    public function accepts(mixed $token): bool
    {
        return is_string($token) && hash_equals($this->token(), $token);
    }

    public function flash(string $message): void
    {
        $_SESSION['flash'][] = $message;
    }

    /** @return list<string> */
    public function takeFlashes(): array
    {
        $messages = $_SESSION['flash'] ?? [];
        unset($_SESSION['flash']);
        return $messages;
    }
}
