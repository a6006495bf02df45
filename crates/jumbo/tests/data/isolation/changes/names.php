<?php
function left() { static $x = 1; return $x++; } left();
class Left { static $s = 5; const C = 1; } Left::$s = 6;
interface LeftI {} trait LeftT {} enum LeftE { case A; }
define('LEFT', 1); const LEFT2 = 2;
$GLOBALS['left'] = 1; $_GET['left'] = $_POST['left'] = $_SERVER['left'] = $_ENV['left'] = $_COOKIE['left'] = $_FILES['left'] = 1; $_SESSION = ['left' => 1];
eval('function evald() { static $y = 2; return ++$y; } class Evald { static $z = [1]; } evald();');
spl_autoload_register(function ($c) { eval("class $c { static \$n = 9; }"); }); new Autoloaded;
class_alias('Left', 'LeftAlias');
