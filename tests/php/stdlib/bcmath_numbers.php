<?php
// Decimal numbers of any length: functions, BcMath\Number and its operators.
foreach ([["1.1", "2", 3], ["-0.001", "0", 2], ["", "5", 0], ["99999999999999999999", ".5", 1]] as [$a, $b, $s]) {
    echo bcadd($a, $b, $s), ' ', bcsub($a, $b, $s), ' ', bcmul($a, $b, $s), ' ', bccomp($a, $b, $s), "\n";
}
echo bcdiv("10", "3", 5), ' ', bcmod("-7.5", "2", 1), ' ', bcpow("-1.5", "3", 2), ' ', bcpow("2", "-3", 4), ' ', bcsqrt("2", 20), "\n";
echo bcpowmod("-7", "3", "10"), ' ', implode(' ', bcdivmod("-7.5", "2", 2)), ' ', bcfloor("-1.5"), ' ', bcceil("-1.5"), "\n";
foreach (RoundingMode::cases() as $mode) {
    echo $mode->name, ': ', implode(' ', array_map(fn($n) => bcround($n, 1, $mode), ["1.25", "-1.25", "1.35", "0.04", "-0.06"])), "\n";
}
echo bcround("12345.678", -2), ' ', bcround("7", -1), ' ', bcround("-4", -1), ' ', bcround("1.5", 3), "\n";
$failing = [
    fn() => bcadd("1e3", "2"), fn() => bcdiv("1", "0"), fn() => bcmod("1", "0.00"), fn() => bcsqrt("-1"), fn() => bcpow("2", "1.5"),
    fn() => bcpow("0", "-1"), fn() => bcpowmod("1", "-1", "3"), fn() => bcadd("1", "1", -1), fn() => bcscale(-1),
    fn() => new BcMath\Number("x"), fn() => new BcMath\Number("1") + "x", fn() => new BcMath\Number(1) + [], fn() => (new BcMath\Number(2))->pow("0.5"),
    fn() => (new BcMath\Number(1))->div(0), function () { $n = new BcMath\Number(1); $n->value = 2; }, fn() => unserialize('O:13:"BcMath\Number":0:{}'),
];
foreach ($failing as $f) {
    try {
        var_dump($f());
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
$n = new BcMath\Number("12.50");
echo $n + 1, ' ', 1 - $n, ' ', $n * "0.5", ' ', $n / 3, ' ', $n % 5, ' ', $n ** 2, ' ', $n ** -1, "\n";
$m = $n++;
echo $m, ' ', $n, ' ', --$n, ' ', $n <=> "12.5", ' ', var_export($n == 12.5, true), ' ', var_export($n > new BcMath\Number(20), true), "\n";
var_dump($n->sqrt(), $n->divmod("-5"), $n->round(), (bool) new BcMath\Number("0.00"), unserialize(serialize($n)));
echo (new BcMath\Number("12"))->powmod(3, 7), "\n";
