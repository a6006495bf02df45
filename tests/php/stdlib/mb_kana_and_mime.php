<?php
// mb_convert_kana's flags, MIME headers, detection that is not in doubt.
foreach (['KV', 'K', 'HV', 'k', 'h', 'c', 'C', 'A', 'a', 'R', 'r', 'N', 'n', 'S', 's', 'M', 'm', 'askh', 'KVas', 'rnCk'] as $mode) {
    try {
        echo $mode, ' ', mb_convert_kana("ｶﾞﾊﾟｱ がぱあ ガパア ＡＢｃ１２　abc 12 \\~\"'", $mode), "\n";
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
try {
    mb_convert_kana('x', 'KX');
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
foreach (['This is ASCII. 0123456789', '日本語テキストです。', 'Grüße an alle, die hier mitlesen und einen ziemlich langen Betreff mögen', "ab  cd =?"] as $text) {
    foreach (['UTF-8', 'ISO-2022-JP', 'ISO-8859-1'] as $charset) {
        $header = mb_encode_mimeheader($text, $charset, 'B');
        echo $header, "\n", mb_decode_mimeheader($header), "\n";
    }
    echo mb_encode_mimeheader($text, 'UTF-8', 'Q', "\n", 9), "\n";
}
foreach (["é", "日本", "abc", "\xe9"] as $text) {
    var_dump(mb_detect_encoding($text, ['ASCII', 'UTF-8', 'ISO-8859-1'], true));
}
var_dump(mb_detect_encoding("\xff", ['BASE64', '7bit']));
mb_parse_str("a=%C3%A9&b[]=x", $variables);
var_dump($variables, mb_http_input());
