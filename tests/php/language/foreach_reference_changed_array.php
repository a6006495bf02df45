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

echo "-- a copy made meanwhile gets the references that follow\n";
$a = [1, 2, 3];
foreach ($a as &$v) {
    if ($v == 1) {
        $copy = $a;
    }
    $v = 10 * $v;
}
unset($v);
var_dump($copy, $a);
$a = [1, 2, 3];
foreach ($a as &$v) {
    if ($v == 1) {
        $copy = $a;
        $a[] = 4;
    }
    $v = 10 * $v;
}
unset($v);
var_dump($copy, $a);

echo "-- copies within loops within loops\n";
$g = [0 => 'x'];
foreach ($g as &$e) { if (!isset($g['b'])) {$g['b']=1; $c=$g; } }
unset($e);
var_dump($g);
$g = [0 => 'x', 'b' => 1];
foreach ($g as &$e) { if (!isset($c)) { $c=$g; } }
unset($e);
var_dump($g);
unset($c);
$g = [0 => 'x', 'b' => 1];
foreach ($g as $k => &$e) { 
foreach ($g as $k => &$h) { break; }
if ($k !== 'b') $c=$g; }
unset($e, $h);
var_dump($g);
unset($c);
$g = [0 => 'x', 'b' => 1];
foreach ($g as $k => &$e) { 
foreach ($g as $k => &$h) { $c = $g; break; }
}
unset($e, $h);
var_dump($g);
unset($c);
$g = [0 => 'x', 'b' => 1];
foreach ($g as $k => &$e) { 
foreach ($g as $k => &$h) { $c = $g; continue 2; }
}
unset($e, $h);
var_dump($g);
