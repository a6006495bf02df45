<?php
// Which keys and values the callbacks of array_*_ukey and array_*_uassoc see, in which order: all arrays are sorted by the callback for
// keys and walked.
function keys($a, $b) {
    echo "$a:$b ";
    return $a <=> $b;
}
function values($a, $b) {
    echo "$a,$b ";
    return $a <=> $b;
}
$lists = [
    [[3 => 5, 1 => 6, 2 => 7]],
    [[3 => 5, 1 => 6], []],
    [[], [3 => 5, 1 => 6]],
    [[3 => 5, 1 => 6, 2 => 7], [3 => 5, 1 => 7]],
    [[3 => 5, 1 => 6, 2 => 7, 9 => 1], [3 => 5, 1 => 7, 9 => 1], [2 => 7, 9 => 2, 1 => 6]],
    [['b' => 1, 'a' => 2, 'd' => 3, 'c' => 4], ['d' => 3, 'a' => 2], ['a' => 9, 'd' => 3, 'x' => 0]],
];
foreach ($lists as $list) {
    foreach (['array_diff_ukey', 'array_intersect_ukey', 'array_diff_uassoc', 'array_intersect_uassoc'] as $function) {
        echo "$function: ", json_encode($function(...[...$list, 'keys'])), "\n";
    }
    foreach (['array_udiff_uassoc', 'array_uintersect_uassoc'] as $function) {
        echo "$function: ", json_encode($function(...[...$list, 'values', 'keys'])), "\n";
    }
}
try {
    array_diff_ukey([2 => 1, 1 => 1], 5, 'keys');
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
try {
    array_diff_ukey([2 => 1, 1 => 1], 'strtoupper');
} catch (ArgumentCountError $e) {
    echo $e->getMessage(), "\n";
}
// Nothing to take away from: nothing is converted.
var_dump(array_diff([], [[]]));
