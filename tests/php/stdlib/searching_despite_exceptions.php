<?php
function t($f) { try { var_dump($f()); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
final class C0 { public function __toString(): string { echo "asked\n"; throw new Exception("no"); } }
class C1 { public function __toString(): string { echo "asked\n"; return 'x'; } }
t(fn() => in_array(new C0, [0 => '', 1 => 1, 2 => 'b', 3 => new C0]));
t(fn() => in_array(new C0, ['', 'x', 1.5, null, true]));
t(fn() => array_search(new C0, ['', 'x', 1]));
t(fn() => array_search('x', [new C0, 'y', 'x', new C1]));
t(fn() => array_search('x', [new C0, new C1]));
t(fn() => array_keys([new C0, 'y', 'x', new C1], 'x'));
t(fn() => array_keys([1, new C0, [new C0], 'x', new C1], 'x'));
