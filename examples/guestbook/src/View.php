<?php

declare(strict_types=1);

namespace Guestbook;

/** Renders a template inside the layout. Templates see their values as variables, and `$e` escapes for HTML. */
final class View
{
    /** @var array<string, mixed> */
    private array $shared = [];

    public function __construct(private readonly string $folder)
    {
    }

    public function share(string $name, mixed $value): void
    {
        $this->shared[$name] = $value;
    }

    /** @param array<string, mixed> $values */
    public function render(string $template, array $values = [], int $status = 200): void
    {
        http_response_code($status);
        header('Content-Type: text/html; charset=utf-8');
        header("Content-Security-Policy: default-src 'self'");
        $values += $this->shared;
        $content = $this->part($template, $values);
        echo $this->part('layout', ['content' => $content] + $values);
    }

    private function part(string $template, array $values): string
    {
        return (function () use ($template, $values): string {
            extract($values, EXTR_SKIP);
            $e = static fn (string $text): string => htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
            ob_start();
            require $this->folder . '/' . $template . '.php';
            return ob_get_clean();
        })->call($this);
    }
}
