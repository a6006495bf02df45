<?php
var_dump([2 => '12abc', 'b' => ' 12', true => 64] > [true, 'null', -2], [-0.5, '9223372036854775807'] >= ['1' => 5, 'k' => 0x7F]);
var_dump(['a' => 1] > ['b' => 1], ['a' => 1] >= ['b' => 1], ['a' => 1] < ['b' => 1], ['a' => 1] <= ['b' => 1], ['a' => 1] <=> ['b' => 1], ['a' => 1] == ['b' => 1], ['a' => 1] != ['b' => 1]);
var_dump([1, 'a' => 2] > ['a' => 2, 0 => 1], [1, 2] > [1, 1], [NAN] > [NAN], [NAN] >= [NAN], [NAN] == [NAN], [NAN] <=> [NAN], 1 > NAN, NAN >= NAN, "a" > 1, null >= false, [] >= null, null > [], [[]] > [null]);
$x = ['a' => 1]; $y = ['b' => 1];
var_dump($x > $y, $x >= $y, $x < $y, $x <= $y, $x <=> $y);
$h = ('a' <=> 'b') and $g;
$h = 1 and $g1;
$h = 0 or $g2;
$k and $g3;
$k or $g4;
enum E { case A; }
var_dump((bool) [7] != E::A, E::A == (bool) 1, true == E::A, E::A != false, !1 == E::A);
