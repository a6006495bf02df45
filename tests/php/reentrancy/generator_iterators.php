<?php
// Iterators whose methods are builtins that call PHP code, walked through by generators that delegate to each other.

class Named extends FilterIterator
{
    public function accept(): bool
    {
        echo implode('<', array_column(debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS), 'function')), ' ';
        return parent::current() !== 2;
    }
}

function inner(int $n): Generator
{
    foreach (new CallbackFilterIterator(new ArrayIterator(range(1, $n)), fn (int $x) => $x % 2 === 1) as $key => $value) {
        yield $key => $value;
    }
    foreach (new Named(new ArrayIterator([1, 2, 3])) as $value) {
        yield $value;
    }
}

function middle(int $n): Generator
{
    yield 'first' => 0;
    yield from inner($n);
    return yield from inner($n + 2);
}

function outer(int $n): Generator
{
    $result = yield from middle($n);
    foreach (middle($n) as $value) {
        yield $value;
    }
    foreach (new IteratorIterator(new CallbackFilterIterator(inner(2), fn ($x) => true)) as $value) {
        yield $value;
    }
    return $result;
}

foreach (outer(3) as $key => $value) {
    echo "$key=$value\n";
}

function blocks(int $depth): Generator
{
    yield '(';
    foreach (new CallbackFilterIterator(new ArrayIterator(range(1, 3)), fn (int $x) => $x !== 2) as $value) {
        yield $value;
        if ($depth > 0) {
            yield from blocks($depth - 1);
        }
    }
    yield ')';
}

foreach (blocks(3) as $value) {
    echo $value;
}
echo "\n";

function failing(): Generator
{
    foreach (new CallbackFilterIterator(new ArrayIterator([1]), fn () => throw new Exception('from the callback')) as $value) {
        yield $value;
    }
}
function delegating(): Generator
{
    try {
        yield from failing();
    } catch (Exception $e) {
        yield $e->getMessage();
    }
}
foreach (delegating() as $value) {
    echo $value, "\n";
}
