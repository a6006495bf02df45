<?php
declare(strict_types=1);
// Arguments that builtins check themselves follow the mode of who called them.
function tried($f) { try { var_dump($f()); } catch (TypeError $e) { echo $e->getMessage(), "\n"; } }
tried(fn() => strtr('', 1, 1));
tried(fn() => strtr('abc', 'a', 'b'));
tried(fn() => implode(1, [2]));
tried(fn() => implode(', ', [2, 3.5]));
tried(fn() => join(false));
tried(fn() => (new BcMath\Number('1'))->add(1.5));
tried(fn() => (string) (new BcMath\Number('1') + 1));
tried(fn() => (string) (new BcMath\Number('1'))->add('2'));
tried(fn() => array_map('strtr', ['a'], [1], [1]));
tried(fn() => mb_encode_mimeheader('x', null));
tried(fn() => mb_encode_mimeheader('x', newline: "\n"));
tried(fn() => mb_encode_mimeheader('x', 'UTF-8', null));
tried(fn() => mb_encode_mimeheader('x', 'UTF-8', 5));
