<?php
// What a constant decides is not compiled, so nothing is said of it.
function t() {
if ((1 or fn&(\Closure $x = null) => 1)) { echo 1; }
if ((0 and fn&(\Closure $x = null) => 1)) { echo 1; }
if ((0 or fn&(\Closure $x = null) => 1)) { echo 1; }
var_dump(1 || fn&(\Closure $x = null) => 1);
if (1 || fn&(\Closure $x = null) => 1) echo 2;
if (!(1 || fn&(\Closure $x = null) => 1)) echo 2;
while (0 && fn&(\Closure $x = null) => 1) echo 2;
$r = true || fn&(\Closure $x = null) => 1;
true || fn&(\Closure $x = null) => 1;
$z = 1 ? 2 : fn&(\Closure $x = null) => 1;
$z = 1 ?: fn&(\Closure $x = null) => 1;
$z = 1 ?? fn&(\Closure $x = null) => 1;
$z = null ?? fn&(\Closure $x = null) => 1;
if (0) { fn&(\Closure $x = null) => 1; }
for (; 0 && fn&(\Closure $x = null) => 1;) ;
do { } while (0 && fn&(\Closure $x = null) => 1);
return 1 || fn&(\Closure $x = null) => 1;
}
