<?php
// Multibyte functions over UTF-8 and other encodings.
require __DIR__ . '/inc/show.php';
$s = 'Héllo Wörld ñ€😀'; each('mb_strlen', [$s], [''], ["\xff\xfe"], [$s, '8bit'], [$s, 'nope'], ["e\u{301}"], [$s, 'ASCII']);
each('mb_substr', [$s, 1, 4], [$s, -1], [$s, -3, 2], [$s, 0, -2], [$s, 99], [$s, 3], ['', 0], ["a\xffb", 1, 1], [$s, 1, 2, 'ISO-8859-1']);
each('mb_strpos', [$s, 'ö'], [$s, 'l', 4], [$s, 'x'], [$s, 'l', -10], [$s, ''], [$s, 'l', 99], ['', 'a']);
each('mb_strrpos', [$s, 'l'], [$s, 'l', -10], [$s, 'ñ', 5]);
each('mb_stripos', [$s, 'WÖ'], ['ÀÉ', 'é']);
each('mb_strstr', [$s, 'W'], [$s, 'ö', true]);
each('mb_strrchr', [$s, 'l']);
each('mb_stristr', [$s, 'WÖR']);
each('mb_substr_count', ['ababab', 'ab'], ['ééé', 'é'], ['a', '']);
each('mb_strtolower', ['ÀÉÎ ΑΒΣ İ'], ['ΣΑΣ']);
each('mb_strtoupper', ['straße ǆ éñ ﬁ']);
each('mb_convert_case', ['hello wörld élan', MB_CASE_TITLE], ['STRASSE', MB_CASE_FOLD], ['ß', MB_CASE_UPPER], ['ß', MB_CASE_UPPER_SIMPLE], ["o'neil", MB_CASE_TITLE]);
each('mb_ucfirst', ['élan vital'], ['ǆ'], ['']);
each('mb_lcfirst', ['ÉLAN']);
each('mb_strwidth', ['abc日本'], ['é'], ['😀']);
each('mb_strimwidth', ['Hello World', 0, 8, '...'], ['日本語テキスト', 0, 7, '…'], ['abc', 0, 10], ['abcdef', 2, 3]);
each('mb_str_split', ['aé€😀'], ['abcdef', 4], [''], ['abc', 0]);
each('mb_str_pad', ['é', 5, 'ñ', STR_PAD_BOTH], ['abc', 6, '€x'], ['a', 3, '']);
each('mb_trim', ["\u{3000} a b \u{a0}"], ['xxaxx', 'x']);
each('mb_ltrim', ["\u{2003}a"]);
each('mb_rtrim', ["a\u{2003}"]);
each('mb_convert_encoding', ["caf\xe9", 'UTF-8', 'ISO-8859-1'], ['café €', 'ISO-8859-1', 'UTF-8'], ['é', 'UTF-16BE', 'UTF-8'], ["\x00\xe9", 'UTF-8', 'UTF-16BE'], ['é', 'HTML-ENTITIES', 'UTF-8'], ['日本', 'SJIS', 'UTF-8'], ['日本', 'EUC-JP', 'UTF-8'], ["\x80", 'UTF-8', 'Windows-1252'], ["a\xffb", 'UTF-8', 'UTF-8'], ['é', 'BASE64', 'UTF-8'], ['é', 'nope'], ['é', 'UTF-8', ['ASCII', 'ISO-8859-1']], ['é', 'UTF-7', 'UTF-8'], [['a' => 'é', 'b' => ['ü']], 'ISO-8859-1', 'UTF-8']);
each('mb_check_encoding', [$s], ["\xff"], ["\xc0\x80"], ["\xed\xa0\x80"], ['abc', 'ASCII'], ['é', 'ASCII']);
each('mb_detect_encoding', [$s], ['abc'], ["caf\xe9", ['ASCII', 'UTF-8', 'ISO-8859-1']], ["\xff", 'ASCII,UTF-8', true], ['abc', ['UTF-8', 'ASCII'], true]);
each('mb_scrub', ["a\xffb\xc3"]);
each('mb_ord', ['€'], ['a'], ['']);
each('mb_chr', [8364], [128512], [0xD800], [1114112]);
show('internal', mb_internal_encoding(), mb_internal_encoding('ISO-8859-1'), mb_strlen('é'), mb_internal_encoding('UTF-8'), mb_substitute_character(), mb_language());
each('mb_internal_encoding', ['nope']);
show('subst', mb_substitute_character(0x2D), mb_convert_encoding("a\xff", 'UTF-8', 'UTF-8'), mb_substitute_character('none'), mb_convert_encoding("a\xff", 'UTF-8', 'UTF-8'), mb_substitute_character('long'), mb_convert_encoding('€', 'ISO-8859-1', 'UTF-8'), mb_substitute_character(0x3F));
show('lists', in_array('UTF-8', mb_list_encodings()), mb_encoding_aliases('ASCII'), mb_preferred_mime_name('sjis-win'), mb_preferred_mime_name('UTF-8'));
each('mb_encode_numericentity', ['é€a', [0x80, 0x10FFFF, 0, 0x10FFFF]], ['é', [0x80, 0xff, 0, 0xff], 'UTF-8', true]);
each('mb_decode_numericentity', ['&#233;&#x20AC;&#65;', [0x80, 0x10FFFF, 0, 0x10FFFF]]);
each('mb_encode_mimeheader', ['Héllo', 'UTF-8', 'B'], ['Héllo', 'UTF-8', 'Q'], ['plain']);
each('mb_decode_mimeheader', ['=?UTF-8?B?SMOpbGxv?='], ['=?ISO-8859-1?Q?H=E9?= x']);
each('mb_strcut', ['aé€b', 2, 3], ['aé€b', 0, 2]);
each('mb_http_output', []);
each('iconv', ['UTF-8', 'ISO-8859-1', 'é'], ['UTF-8', 'ASCII//TRANSLIT', 'abc'], ['UTF-8', 'ASCII//IGNORE', 'aéb'], ['UTF-8', 'nope', 'x']);
each('iconv_strlen', ['é€']);
each('iconv_substr', ['aé€b', 1, 2]);
each('iconv_strpos', ['aé€b', '€']);
each('utf8_encode', ["\xe9"]);
each('utf8_decode', ['é']);
foreach (["\0", '', 'a', "a=1&\0", "\0=1", "a=\0", '=', '&', "\0a=1&b=2", '[', 'a[=1'] as $text) {
    var_dump(mb_parse_str($text, $variables), $variables);
}
