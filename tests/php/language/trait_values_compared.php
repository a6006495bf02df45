<?php
// Values of one property that two definitions give are compared when they are evaluated.
trait C1 { public $p1 = [PHP_INT_MAX => 1, null]; }
class C2 { use C1; }
class C3 extends C2 { use C1; }
echo "there\n";
