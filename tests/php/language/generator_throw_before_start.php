<?php
// throw() on a generator that has not started: it runs to its first yield, and if it throws there, that becomes the previous exception.
function throws() { throw new Exception('of the body'); yield 1; }
function returns() { return 5; yield 1; }
function yields() { try { yield 1; } finally { echo "finally\n"; } }
function catches() { try { yield 1; } catch (LogicException $e) { yield $e->getMessage(); } }
foreach (['throws', 'returns', 'yields', 'catches'] as $name) {
    $generator = $name();
    try {
        var_dump($generator->throw(new LogicException('given')));
    } catch (Throwable $t) {
        for (; $t; $t = $t->getPrevious()) {
            echo $t::class, ': ', $t->getMessage(), "\n";
        }
    }
    var_dump($generator->valid());
}
