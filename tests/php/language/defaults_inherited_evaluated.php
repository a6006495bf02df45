<?php
// A class that is linked when its parent has been evaluated inherits the values, one that was linked before evaluates them itself.
class C0 { private $p0 = [1.7 => 1]; }
echo "-1\n"; new C0; echo "-2\n"; new class extends C0 {}; echo "-3\n"; new class(new C0) extends C0 { function __construct($x) {} };
class C1 { public $p0 = [1.7 => 1]; }
echo "-4\n"; new C1(new class() extends C1 { }); 
class C2 { public $p0 = [1.7 => 1]; }
echo "-5\n"; new class() extends C2 { }; echo "-6\n"; new C2;
class C3 { public $p0 = [1.7 => 1]; public static $s = [1.8 => 1]; const X = [1.9 => 2]; }
echo "-7\n"; new C3; echo "-8\n"; eval('class D3 extends C3 {} new D3; D3::X; D3::$s;');
class C4 { public $p0 = [1.7 => 1]; }
class D4 extends C4 { public $q = [1.6 => 2]; }
echo "-9\n"; new C4; echo "-10\n"; new D4;
class C5 { public $p0 = [1.7 => 1]; }
class D5 extends C5 { public $q = [1.6 => 2]; }
echo "-11\n"; new D5; echo "-12\n"; new C5;
