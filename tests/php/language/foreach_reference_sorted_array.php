<?php
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
