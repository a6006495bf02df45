<?php
// Concatenation, interpolation, appending in place, implode.
$hash = 0;
for ($r = 0; $r < 60; $r++) {
    $s = '';
    $parts = [];
    for ($i = 0; $i < 10000; $i++) {
        $s .= 'x' . $i . ';';
        $s .= "<b>$i</b> {$r}\n";
        if (($i & 7) === 0) {
            $parts[] = "item-$i";
        }
    }
    $hash = crc32($s . implode(',', $parts)) ^ $hash;
}
echo $hash, "\n";
