<?php
// Encodings converted, parts and positions, headers of mail.
$text = "Prüfung €5 “quoted” naïve Łódź";
foreach (['UTF-16LE', 'UTF-16', 'ISO-8859-1//TRANSLIT', 'ISO-8859-15//IGNORE', 'ASCII//TRANSLIT', 'Windows-1252//IGNORE', 'UCS-4LE'] as $to) {
    echo $to, ' ', bin2hex(iconv('UTF-8', $to, $text)), "\n";
}
foreach (['EUC-JP', 'SJIS', 'ISO-2022-JP', 'GB18030', 'BIG5', 'EUC-KR'] as $to) {
    $there = iconv('UTF-8', $to, "日本 abc");
    echo $to, ' ', bin2hex($there), ' ', iconv($to, 'UTF-8', $there), "\n";
}
var_dump(iconv('UTF-8', 'ISO-8859-1', '€'), iconv('UTF-8', 'UTF-8', "a\xc3"), iconv('UTF-8', 'UTF-8', "a\xffb"), iconv('UTF-8', 'UTF-8//IGNORE', "a\xffb"));
var_dump(iconv('UTF-8', 'nonsense', 'a'), iconv(str_repeat('x', 70), 'UTF-8', 'a'));
var_dump(iconv_strlen($text), iconv_strlen("a\xff"), iconv_substr($text, 8, 3), iconv_substr($text, -4), iconv_substr($text, 3, -30), iconv_strpos($text, 'n'), iconv_strpos($text, 'n', -8), iconv_strrpos($text, 'ü'), iconv_strpos('a', ''));
var_dump(iconv_get_encoding(), iconv_get_encoding('nonsense'), @iconv_set_encoding('internal_encoding', 'ISO-8859-1'), iconv_strlen('ä'), @iconv_set_encoding('internal_encoding', 'UTF-8'));
echo iconv_mime_encode('Subject', $text, ['scheme' => 'Q', 'line-length' => 50, 'line-break-chars' => "\n"]), "\n";
echo iconv_mime_encode('Subject', $text, ['scheme' => 'B', 'line-length' => 60, 'output-charset' => 'UTF-16LE']), "\n";
foreach (["=?UTF-8?Q?Pr=C3=BCfung?= x", "a =?UTF-8?B?YQ==?= =?ISO-8859-1?Q?=E4?= b", "a\r\n b\n\tc\nd", "=?UTF-8?X?a?=", "=?nonsense?Q?a?= b", "x=?UTF-8?Q?a?=y"] as $header) {
    foreach ([0, ICONV_MIME_DECODE_STRICT, ICONV_MIME_DECODE_CONTINUE_ON_ERROR] as $mode) {
        var_dump(iconv_mime_decode($header, $mode, 'UTF-8'));
    }
}
var_dump(iconv_mime_decode_headers("Subject: =?UTF-8?B?YQ==?=\nTo: x\n y\nTo: z\nbad line\n"));
$stream = fopen('php://memory', 'w+');
$filter = stream_filter_append($stream, 'convert.iconv.UTF-8/UTF-16LE', STREAM_FILTER_WRITE);
fwrite($stream, "a\xc3");
fwrite($stream, "\xa4b");
stream_filter_remove($filter);
rewind($stream);
echo bin2hex(stream_get_contents($stream)), "\n";
try {
    iconv_strpos('abc', 'b', 9);
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
