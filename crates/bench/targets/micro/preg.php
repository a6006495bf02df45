<?php
$text = '';
for ($i = 0; $i < 1500; $i++) {
    $text .= "On 2024-0" . ($i % 9 + 1) . "-1" . ($i % 10) . " user$i@example" . ($i % 7) . ".org wrote [b]text {$i}[/b], see https://example.org/p?id=$i&x=1\n";
}
$sum = preg_match_all('/\b[\w.]+@[\w.]+\.\w+\b/', $text);
$sum += preg_match_all('~(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)~', $text, $dates, PREG_SET_ORDER);
$html = preg_replace('~\[b\](.*?)\[/b\]~s', '<b>$1</b>', $text);
$html = preg_replace_callback('~https?://[^\s<]+~', fn ($m) => '<a href="' . htmlspecialchars($m[0]) . '">' . strlen($m[0]) . '</a>', $html);
foreach (preg_split('/[\s,]+/', $text, -1, PREG_SPLIT_NO_EMPTY) as $word) {
    $sum += preg_match('/^(?:user)?(\d+)$/', $word, $m) ? (int) $m[1] : 1;
}
echo 'preg ', $sum, ' ', count($dates), ' ', $dates[9]['month'], ' ', md5($html), "\n";
