<?php
// A file or eval that returns a variable shares it with those who go on with it.
$h = 1;
$x = eval('return $h;');
var_dump($x, $h);
$settings = ['a' => 1];
$y = include __DIR__ . '/inc/returns_variable.php';
echo json_encode([$y, $settings]), "\n";
function f() {
    $settings = [];
    $y = include __DIR__ . '/inc/returns_variable.php';
    $z = eval('return $settings;');
    $settings[] = 2;
    return [$settings, $y, $z];
}
echo json_encode(f()), "\n";
class D { function __destruct() { echo "gone\n"; } }
function g() {
    $d = new D;
    eval('return $d;');
    echo "still there\n";
    return $d;
}
g();
echo "end\n";
