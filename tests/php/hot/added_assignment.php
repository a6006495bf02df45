<?php
function f2() { $f = 2; $i4 = 3; while ($i4-- > 0) { $f += ($b = 1); } return $f; }
var_dump(f2());
