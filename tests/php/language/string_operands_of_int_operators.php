<?php
// Strings as operands of int operators: what does not fit stops at the limits, where a float wraps round.
foreach (["9223372036854775808a", "1e1000", "-1e1000", "9223372036854775808", "-9223372036854775809", "1e30", "1.5", "-1e30", "9223372036854775807.5", "1e18", 9223372036854775808.0, 1e30] as $x) {
    foreach (['|', '%', '<<', '&', '^', '>>', '(int)'] as $operator) {
        echo var_export($x, true), " $operator: ";
        var_dump(match ($operator) {
            '|' => $x | 0,
            '%' => $x % 7,
            '<<' => $x << 1,
            '&' => -1 & $x,
            '^' => $x ^ 0,
            '>>' => $x >> 1,
            '(int)' => (int) $x,
        });
    }
}
var_dump("1e30" | 0, "1e30" % 7, 1 << "9223372036854775808" >> 70);
