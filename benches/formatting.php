<?php
// sprintf, number_format, implicit number to string conversions, date formatting.
date_default_timezone_set('UTC');
$h = 0;
for ($i = 0; $i < 120000; $i++) {
    $s = sprintf('%05d|%-8s|%x|%.2f|%s', $i, "a$i", $i, $i / 7, true);
    $s .= number_format($i * 1.5, 2) . number_format($i) . ($i / 3) . ' ' . $i;
    if (($i & 7) === 0) {
        $s .= date('Y-m-d H:i:s', $i * 1000) . str_pad(dechex($i), 8, '0', STR_PAD_LEFT);
    }
    $h = ($h * 31 + strlen($s) + ord($s[3])) & 0xFFFFFFF;
}
echo $h, "\n";
