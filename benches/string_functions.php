<?php
// Short string builtins, as templates and routers use them.
$text = 'The quick brown fox jumps over the lazy dog; Sphinx of black quartz, judge my vow.';
$sum = 0;
for ($i = 0; $i < 90000; $i++) {
    $w = substr($text, $i % 60, 12);
    $sum += strlen(trim($w)) + strpos($text, $w) + ord($w[0]);
    $u = ucfirst(strtolower($w)) . strtoupper($w);
    $sum += substr_count($u, 'o') + (str_starts_with($u, 'T') ? 1 : 0) + (str_contains($u, 'fox') ? 2 : 0);
    $sum += count(explode(' ', $w)) + strlen(str_replace(['o', 'e'], ['0', '33'], $w));
    $sum += strcmp($w, $u) <=> 0;
    $sum += strlen(htmlspecialchars($w)) + strlen(rtrim($w, '. ')) + (int) str_pad((string) ($i % 100), 5, '0', STR_PAD_LEFT);
}
echo $sum, "\n";
