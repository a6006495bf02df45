<?php
// A chain of objects with destructors, longer than any native stack.
// options: -d memory_limit=1G
// expect: 200
// body: 500000 500000
class Link { public $next; static int $ended = 0; function __destruct() { self::$ended++; } }
function chain(callable $hold) { $chain = null; for ($i = 0; $i < 500000; $i++) { $link = new Link; $link->next = $hold($chain); $chain = $link; } }
chain(fn($x) => $x);
echo Link::$ended, ' ';
Link::$ended = 0;
chain(fn($x) => [[$x]]);
echo Link::$ended;
