<?php
// Two definitions of one member fit when their values are the same, however they are written.
const VALUE = true;
define('LATER', getenv('nothing of that name') === false ? 2 : 3);
trait A { public $var = VALUE; public static $s = LATER * 2; }
trait B { public $var = true; public static $s = 4; const C = 40 + LATER; }
class Both { use A, B; const C = 42; }
var_dump(new Both, Both::$s, Both::C);
class Other { use B; const C = 41; }
