<?php
// exit while a string is being built.
class S { function __toString(): string { exit(4); } }
register_shutdown_function(fn() => print("shutdown\n"));
ob_start(fn($b) => "<$b>");
echo 'before ';
$s = 'a' . new S . 'b';
echo 'never';
