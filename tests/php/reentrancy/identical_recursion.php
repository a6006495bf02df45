<?php
// Arrays that contain themselves end strict comparison with an Error; deep ones are compared without recursion.
function attempt(string $what, callable $f): void
{
    try {
        echo $what, ': ';
        var_dump($f());
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
$a = [1];
$a[1] = &$a;
$b = [1];
$b[1] = &$b;
attempt('===', fn() => $a === $b);
attempt('!==', fn() => $a !== $b);
attempt('==', fn() => $a == $b);
attempt('itself', fn() => $a === $a);
attempt('in_array', fn() => in_array($a, [$b], true));
attempt('array_search', fn() => array_search($a, [1, $b], true));
attempt('array_keys', fn() => array_keys([$a, 2], $b, true));
attempt('match', fn() => match ($a) {
    $b => 'same',
    default => 'other',
});
$c = [2];
$c[1] = &$c;
attempt('different before', fn() => $a === $c);
$shared = [1, [2]];
$x = [&$shared, &$shared];
$y = [[1, [2]], [1, [2]]];
attempt('twice, not inside itself', fn() => $x === $y);
$deep = $other = [];
for ($i = 0; $i < 20000; $i++) {
    $deep = [$deep];
    $other = [$other];
}
attempt('deep', fn() => $deep === $other);
$other = [$other];
attempt('deeper', fn() => $deep === $other);
