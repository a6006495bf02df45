<?php
// Each evaluation of a text makes a class of its own, though text and place are the same.
function make() {
    static $n = 0;
    return eval(sprintf('return new class { public $p%s = 1; };', ++$n));
}
var_dump(make(), make());
var_dump(get_class(make()) === get_class(make()));
$same = fn () => eval('return new class {};');
var_dump(get_class($same()) === get_class($same()));
