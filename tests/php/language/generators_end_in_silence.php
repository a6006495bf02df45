<?php
$e = (function () { if (@(yield 1)) { } })();
var_dump($e->current(), error_reporting());
$e = 1;
var_dump(error_reporting());
echo $undefined;
$e = (function () { try { if (@(yield 1)) { } } finally { echo "f", error_reporting(), "\n"; } })();
var_dump($e->current(), error_reporting());
$e = 1;
var_dump(error_reporting());
$e = (function () { $x = @(yield 1) + 1; })();
$e->current();
$e->next();
var_dump(error_reporting());
