<?php
// die prints its string and ends with status 0.
function check($v) { return $v or die("fatal: no value\n"); }
echo check(1), "\n";
check(0);
echo "never\n";
