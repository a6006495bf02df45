<?php
// Entities in single-byte and East Asian character sets.
foreach (['cp1252', 'cp1251', '866', 'koi8r', 'MacRoman', 'iso8859-5', 'iso-8859-15'] as $set) {
    $all = '';
    for ($byte = 0; $byte < 256; $byte++) {
        $all .= htmlentities(chr($byte), ENT_QUOTES | ENT_HTML5, $set) . '|' . htmlentities(chr($byte), ENT_QUOTES, $set) . '|'
            . htmlspecialchars(chr($byte), ENT_QUOTES | ENT_DISALLOWED, $set) . '|' . html_entity_decode("&#$byte;", ENT_QUOTES, $set) . "\n";
    }
    echo $set, ' ', md5($all), ' ', md5(serialize(get_html_translation_table(HTML_ENTITIES, ENT_QUOTES, $set))), "\n";
}
foreach (['BIG5', 'GB2312', 'BIG5-HKSCS', 'SJIS', 'EUC-JP'] as $set) {
    $all = '';
    for ($lead = 0x7f; $lead < 256; $lead++) {
        foreach (['', '&', '?', '@', '~', "\x7f", "\x80", "\x8e", "\x8f", "\xa0", "\xa1", "\xdf", "\xe0", "\xfc", "\xfd", "\xfe", "\xff"] as $second) {
            foreach (['', '<', "\xa1", "\xff"] as $third) {
                $all .= htmlspecialchars(chr($lead) . $second . $third, ENT_QUOTES | ENT_SUBSTITUTE, $set) . "\n";
            }
        }
    }
    echo $set, ' ', md5($all), "\n";
}
var_dump(bin2hex(htmlentities("\xa4\xa2<", ENT_QUOTES, 'EUC-JP')), htmlspecialchars('<', ENT_QUOTES, 'no such set'));
