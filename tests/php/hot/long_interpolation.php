<?php
// More parts than a function has registers.
$x = 'ab';
$n = 0;
$f = function () use (&$n) { return ++$n . ','; };
$long = eval('return "' . str_repeat('$x-', 20_000) . '";');
var_dump(strlen($long), md5($long));
$calls = eval('return "' . str_repeat('{$f()}', 3_000) . '" . "' . str_repeat('$x{$f()}', 3_000) . '";');
var_dump($n, strlen($calls), md5($calls));
$mixed = eval('return $n . "' . str_repeat('$x ', 1_500) . '" . $x . "' . str_repeat(' $n', 1_500) . '" . $f();');
var_dump(strlen($mixed), md5($mixed));

class Shown
{
    public function __toString(): string
    {
        global $n;
        return 'shown ' . ++$n . "\n";
    }
}
$s = new Shown;
echo substr(eval('return "' . str_repeat('$s', 1_100) . '" . $n;'), -40);

// What is made of constants again and again.
class Doubled
{
    const A0 = [1, 2];
    const A1 = [...self::A0, ...self::A0];
    const A2 = [...self::A1, ...self::A1, 'k' => self::A1];
    const S0 = 'text';
    const S1 = self::S0 . self::S0;
}
var_dump(count(Doubled::A2), Doubled::A2['k'], Doubled::S1);
$code = 'const A0 = [1, 2]; const S0 = "ab";';
for ($i = 1; $i < 17; $i++) {
    $j = $i - 1;
    $code .= "const A$i = [...self::A$j, ...self::A$j]; const S$i = self::S$j . self::S$j;";
}
eval("class Large { $code }");
var_dump(count(Large::A16), strlen(Large::S16), Large::A16[65_537]);
