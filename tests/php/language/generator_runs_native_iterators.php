<?php
// What native code calls for a generator builds its frames on the stack, one above the other.
function filtered(array $list) {
    $it = new CallbackFilterIterator(new ArrayIterator($list), fn($v, $k) => strlen($k) + $v > 2);
    foreach ($it as $k => $v) {
        yield $k => $v;
    }
    yield from new RegexIterator(new CachingIterator(new ArrayIterator(array_keys($list))), '/[ace]/');
}
function outer() {
    foreach (filtered(['a' => 1, 'b' => 2, 'c' => 3, 'e' => 4]) as $k => $v) {
        $sorted = [[3, $k], [1, $v]];
        usort($sorted, fn($x, $y) => iterator_count(new LimitIterator(new ArrayIterator($x), 0, 1)) <=> 1);
        yield $k => array_map(fn($n) => new ArrayObject([$n]), [$v]);
    }
}
foreach (outer() as $k => [$o]) {
    echo $k, ' ', $o[0], "\n";
}
