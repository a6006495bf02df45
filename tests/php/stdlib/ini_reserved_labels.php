<?php
// Words like `true` are no labels in ini files, unless a space stands before them: then they begin a longer label.

foreach (['true = 1', ' true = 1', "\ttrue = 1", " \ttrue = 1", "\t true = 1", "[x]\n  null = on\n  off[] = 2", ' none', 'no[a] = 1', "a = 1\nyes = 2", '  yes=no'] as $text) {
    foreach ([INI_SCANNER_NORMAL, INI_SCANNER_RAW, INI_SCANNER_TYPED] as $mode) {
        echo json_encode($text), ' ', json_encode(@parse_ini_string($text, true, $mode)), "\n";
    }
}
