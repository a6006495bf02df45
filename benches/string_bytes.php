<?php
// Walking a string byte by byte: offsets, ord, chr, comparison.
function caesar(string $s, int $k): string
{
    $r = '';
    for ($i = 0, $n = strlen($s); $i < $n; $i++) {
        $c = $s[$i];
        if ($c >= 'a' && $c <= 'z') {
            $r .= chr((ord($c) - 97 + $k) % 26 + 97);
        } else {
            $r .= $c;
        }
    }
    return $r;
}
$s = str_repeat('the quick brown fox jumps over the lazy dog ', 50);
for ($i = 0; $i < 280; $i++) {
    $s = caesar($s, $i % 25 + 1);
    $s[$i] = '!';
}
echo md5($s), "\n";
