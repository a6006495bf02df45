<?php
register_shutdown_function(fn() => print("shutdown\n"));
set_include_path(".");
@include 'nope.php';
echo "after include\n";
try { require 'nope.php'; } catch (Throwable $e) { echo get_class($e), ' ', strtok($e->getMessage(), '('), "\n"; }
require 'nope.php';
