<?php
// hebrev(): logical Hebrew (ISO-8859-8; here A-Z stand for its letters) as it is seen, cut into lines.
function seen(string $text, int ...$max): string {
    $hebrew = preg_replace_callback('/[A-Z]/', fn($m) => chr(224 + ord($m[0]) - 65), $text);
    $back = preg_replace_callback('/[\xe0-\xfa]/', fn($m) => chr(65 + ord($m[0]) - 224), hebrev($hebrew, ...$max));
    return json_encode($back);
}
$texts = ['', 'a', 'ABC', 'abc DEF', 'ABC abc', 'ABC 123 DEF', 'ABC, abc. DEF!', '(ABC)', '(abc)', 'A [B{C}]<D>/\\ ', 'abc... ',
    ' abc', "ABC\nDEF", "\nabc", "a\r\nb", "A\tB", 'a-b A 1/2 B', "ABC DEF GHI\njkl MNO pqr", "A\n\n\nB", "\n", "A\r\rB"];
foreach ($texts as $text) {
    echo json_encode($text), ': ', seen($text), ' ', seen($text, 3), ' ', seen($text, 7), ' ', seen($text, -1), "\n";
}
echo seen('AB cd', PHP_INT_MAX), seen('AB cd', PHP_INT_MIN), "\n";
var_dump(YESSTR, nl_langinfo(YESSTR));
try {
    hebrev([]);
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
