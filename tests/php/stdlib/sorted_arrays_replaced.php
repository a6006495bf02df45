<?php
class T { public $n; function __construct($n = 't') { $this->n = $n; } function __toString(): string { global $arr; echo '(toString) '; $arr = []; return $this->n; } }
$arr = [new T('b'), new T('a')]; sort($arr, SORT_STRING); var_dump(count($arr));
$arr = [new T('b'), new T('a'), new T('c')]; rsort($arr, SORT_STRING); var_dump($arr);
$arr = [new T('b'), new T('a')]; usort($arr, function ($a, $b) { $GLOBALS['arr'] = 5; return strcmp($a, $b); }); var_dump($arr);
$arr = [new T('b'), new T('a')]; asort($arr, SORT_STRING); var_dump(count($arr));
$arr = ['b' => new T('b'), 'a' => new T('a')]; ksort($arr, SORT_STRING); var_dump(count($arr));
$arr = [new T('b'), new T('a')]; array_multisort($arr, SORT_STRING); var_dump(count($arr));
