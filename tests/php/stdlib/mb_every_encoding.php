<?php
// Every encoding: a text there and back, lengths, parts, malformed input, what cannot be converted.
error_reporting(E_ALL & ~E_DEPRECATED);
$text = "abc~ äß Жя ｱｶﾞ 日本語テキスト 漢字 한국어 ①㈱ 𠀋 \u{2603}";
foreach (mb_list_encodings() as $name) {
    if ($name === 'UUENCODE') {
        // Stock PHP loses bytes of longer texts.
        continue;
    }
    $there = mb_convert_encoding($text, $name, 'UTF-8');
    $back = mb_convert_encoding($there, 'UTF-8', $name);
    echo $name, ' ', md5($there), ' ', md5($back), ' ', mb_strlen($there, $name), ' ', mb_strwidth($there, $name), ' ',
        var_export(mb_check_encoding($there, $name), true), ' ', bin2hex(mb_substr($there, 4, 3, $name)), "\n";
}
foreach (['EUC-JP', 'SJIS', 'CP932', 'SJIS-2004', 'EUC-TW', 'GB18030', 'BIG-5', 'UHC', 'JIS', 'ISO-2022-KR', 'HZ', 'UTF-16', 'UTF-32', 'UCS-2'] as $name) {
    $bad = "\x81\x20\x8f\xa1\xff\x1b\$B!!\x1b(B\xfe\xe0";
    echo $name, ' ', bin2hex(mb_convert_encoding($bad, 'UTF-8', $name)), ' ', mb_strlen($bad, $name), ' ', (int) mb_check_encoding($bad, $name), "\n";
}
foreach (['none', 'long', 'entity', 0x25] as $substitute) {
    mb_substitute_character($substitute);
    echo mb_convert_encoding("a\u{1F600}b\xffc", 'ISO-8859-1', 'UTF-8'), ' ', mb_convert_encoding("é日", 'HZ', 'UTF-8'), "\n";
}
var_dump(mb_get_info('illegal_chars') > 0);
echo implode(' ', mb_encoding_aliases('SJIS-Mobile#KDDI')), ' ', mb_preferred_mime_name('eucJP-win'), "\n";
