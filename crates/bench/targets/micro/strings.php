<?php
$text = '';
for ($i = 0; $i < 20000; $i++) {
    $text .= "line $i: " . str_pad((string) ($i * 37 % 1000), 4, '0', STR_PAD_LEFT) . "\n";
}
$sum = 0;
foreach (explode("\n", $text) as $line) {
    $sum += strlen(trim($line)) + strpos($line . ':', ':');
    $sum += ord($line[0] ?? 'x');
    $upper = ucfirst(str_replace(['line', '0'], ['row', 'o'], $line));
    $sum += strlen(htmlspecialchars("<$upper>")) + substr_count($upper, 'o');
    if (str_contains($line, '99') && str_ends_with($line, '9')) {
        $sum += crc32(sprintf('%05d-%s', $sum & 0xffff, substr($line, 5, 4))) & 0xff;
    }
}
echo 'strings ', $sum, ' ', md5($text), ' ', strlen(wordwrap(strtolower($text), 60, "\n", true)), "\n";
