<?php
// Throwing, catching, finally, nested and by type.
class MyException extends RuntimeException {}
function thrower(int $i): int
{
    if ($i % 3 === 0) throw new MyException("m$i", $i);
    if ($i % 5 === 0) throw new InvalidArgumentException('bad');
    return $i;
}
function wrapped(int $i): int
{
    try {
        return thrower($i);
    } catch (MyException $e) {
        return $e->getCode() & 3;
    } finally {
        global $f;
        $f++;
    }
}
$f = $s = 0;
for ($i = 0; $i < 600000; $i++) {
    try {
        $s += wrapped($i) & 15;
    } catch (LogicException) {
        $s += 2;
    }
}
echo $s, ' ', $f, "\n";
