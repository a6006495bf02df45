<?php
// strcmp and its company return the difference of the first unequal bytes, else the sign of that of the lengths.
foreach ([['a', 'c'], ['ab', 'abcd'], ['', 'abc'], ["a\xff", "a\x01"], ['Z', '_'], ['-0', '1'], ['same', 'same']] as [$a, $b]) {
    var_dump(strcmp($a, $b), strcmp($b, $a), strncmp($a, $b, 2), strcasecmp($a, $b), strncasecmp($a, $b, 1), substr_compare($a . '!', $b, 0), substr_compare($a, $b, 0, 2, true));
}
