<?php
// Names of encodings as iconv reads them, and encoded words that do not end.
set_error_handler(function ($n, $m) { echo "[$n: $m] "; return true; });
foreach (['\\', '', "UTF-8\0b", 'UTF-8\\', '//IGNORE', 'x/', '.', '-', '%', '..', "a\0b"] as $name) {
    echo json_encode($name), ' ';
    var_dump(iconv('UTF-8', $name, 'max'));
}
var_dump(iconv_strlen('', 'no?such'), iconv_substr('', 0, null, "\u{e9}"));
foreach (["=? in\n", 'a =? in b ?', '=?utf-8?q?a', '=?nono?q?a?=', 'a=', 'a =', '=', "a=\n", 'a=b', '=?utf-8?q?b?= a', 'x=?utf-8?q?a?= b'] as $text) {
    foreach ([0, 1, 2, 3] as $mode) {
        echo json_encode($text), " $mode ";
        var_dump(iconv_mime_decode($text, $mode));
    }
}
var_dump(iconv_mime_decode_headers("A: x=\nB: c =? d\nC: 1", 1), iconv_mime_decode_headers("A: x=\nB: c =? d\nC: 1", 0));
