<?php
// `global` in global code makes the variable exist.
global $made, $old;
var_dump($made, array_key_exists('made', $GLOBALS));
$made = 1;
function read() { global $made; return $made++; }
var_dump(read(), $made);
$old = [1];
global $old;
$copy = $old;
$copy[] = 2;
var_dump(count($old));
