<?php
// A loop by reference goes on behind what its body removes and appends.
$a = ['x'];
foreach ($a as $key => &$value) {
    echo $key, ' ';
    unset($a[$key]);
    $a[] = 'x';
    if ($key === 5) {
        break;
    }
}
unset($value);
echo "\n";
$map = ['a' => 1, 'b' => 2, 'c' => 3];
foreach ($map as $key => &$value) {
    echo "$key=$value ";
    if ($value === 3) {
        unset($map['b'], $map['c']);
        $map['d'] = 4;
        $map['e'] = 5;
    }
}
unset($value);
echo "\n";
$o = (object) ['a' => 0, 'b' => 1, 'c' => 2, 'd' => 3, 'e' => 4, 'f' => 5, 'g' => 6, 'h' => 7];
unset($o->a, $o->b, $o->c, $o->d);
foreach ($o as $outer) {
    foreach ($o as $inner) {
        echo "$outer-$inner ";
        if ($outer == 5 && $inner == 6) {
            $o->i = 8;
        }
    }
}
echo "\n";
$smallest = [(string) PHP_INT_MIN => 'smallest', '-0' => 'minus'];
var_dump(array_keys($smallest), $smallest[PHP_INT_MIN]);
var_dump(0b11111111111111111111111111111111111111111111111111111111111111111, 0777777777777777777777777);
// Sorted by the program's own order, too, the array keeps the loop's number of steps.
foreach ([[3, 1, 2], ['b' => 2, 'a' => 1, 'c' => 0], [5]] as $list) {
    foreach (['usort', 'uksort', 'uasort', 'array_multisort'] as $sort) {
        $array = $list;
        $steps = 0;
        foreach ($array as $key => &$value) {
            if (++$steps > 7) break;
            echo "$key=>$value ";
            if ($sort === 'array_multisort') array_multisort($array); else $sort($array, fn($x, $y) => $x <=> $y);
        }
        unset($value);
        echo "$sort\n";
    }
}
// Where a loop goes on after array_splice of $removed elements from $start on, once it has taken $taken.
foreach ([1, 2, 4] as $count) for ($taken = 1; $taken <= $count; $taken++) for ($start = 0; $start <= $count; $start++) for ($removed = 0; $removed <= $count - $start; $removed++) {
    echo "$taken of $count, $start $removed:";
    foreach ([0, 1, 2] as $added) {
        $array = range(1, $count);
        $steps = 0;
        foreach ($array as $key => &$value) {
            if (++$steps > 9) break;
            echo " $key=>$value";
            if ($steps === $taken) array_splice($array, $start, $removed, array_fill(0, $added, 'new'));
        }
        unset($value);
        echo ' |';
    }
    echo "\n";
}
