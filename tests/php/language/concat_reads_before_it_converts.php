<?php
$a = [1]; $o = new class { function __toString() { echo "S"; return "s"; } };
echo ($a . $u) . $a, "\n";
echo ($o . $u) . $v, "\n";
echo ($o . $u) . $o, "\n";
echo $o . ($u . $a), "\n";
$x = ($a . $u) . $v . "x";
echo "$o$u$o", "\n";
echo $u . $o . $u, "\n";
echo $a . $u, "\n";
echo $u . $a, "\n";
