<?php
// exit inside an autoloader called by class_exists.
spl_autoload_register(function ($c) { echo "load $c\n"; exit(5); });
register_shutdown_function(function () { var_dump(class_exists('Other', false)); });
var_dump(class_exists('Missing'));
