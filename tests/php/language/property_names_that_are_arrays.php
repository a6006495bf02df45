<?php
// A property's name that is a constant array is told of when the file is compiled, for `??=` twice.
echo "begin\n";
$o = new stdClass;
echo $o->{[1]} ?? 'none', "\n";
$o->{[]} ??= 1;
$o->{[$n] = [5]} = 2;
var_dump($o, $n);
