<?php
// A match whose conditions are ints and strings reads a variable that nobody has set once.
function unset_only() {
    return match ($a) { -2 => 2, 5 => 1, default => 5 };
}
var_dump(unset_only());
function assigned_only() {
    $a = match ($a) { 1 => 2, 'x' => 1, default => 5 };
    $b = 1 - match ($b) { 1 => 2, 1 + 1 => 1, default => 5 };
    $c .= match ($c) { 1 => 2, 1.5 => 1, default => 5 };
    return [$a, $b, $c];
}
var_dump(assigned_only());
