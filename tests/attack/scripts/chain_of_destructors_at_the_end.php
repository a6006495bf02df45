<?php
// The same, ended with the request, together with one whose destructors end each other in PHP code.
// options: -d memory_limit=1G
// expect: 200
// body: 300000 100000
class Link { public $next; static int $ended = 0; function __destruct() { static::$ended++; $this->next = null; } }
class Plain { public $next; static int $ended = 0; function __destruct() { self::$ended++; } }
class Last { function __destruct() { echo Plain::$ended, ' ', Link::$ended; } }
for ($i = 0; $i < 300000; $i++) { $link = new Plain; $link->next = $plain ?? null; $plain = $link; }
for ($i = 0; $i < 100000; $i++) { $link = new Link; $link->next = $chain ?? null; $chain = $link; }
unset($link);
$GLOBALS['aaa'] = $keep = [new Last];
