<?php
// mail(): what is refused before anything is sent.
function refused(mixed ...$arguments): void
{
    try {
        var_dump(mail(...$arguments));
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
refused("a\0b", 's', 'm');
refused('a', 's', "m\0");
refused('a', 's', 'm', "X: y\n\nbody");
refused('a', 's', 'm', "\nX: y");
refused('a', 's', 'm', [1 => 'a']);
refused('a', 's', 'm', ['From' => ['x']]);
refused('a', 's', 'm', ['X' => 1]);
refused('a', 's', 'm', ['X' => ['a' => 'b']]);
refused('a', 's', 'm', ['X' => [1]]);
refused('a', 's', 'm', ["X\n" => 'y']);
refused('a', 's', 'm', ['X' => "y\nz"]);
refused('a', 's', 'm', ['X' => "y\r\nz"]);
refused('a', 's', 'm', ['X' => "y\rz"]);
refused('a', 's', 'm', ['X' => "y\0z"]);
refused('a', 's', 'm', ['To' => 'b']);
refused('a', 's', 'm', ['subject' => 'b']);
