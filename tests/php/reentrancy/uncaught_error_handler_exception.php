<?php
// An exception made by the error handler, uncaught, shows the handler's frame.
ini_set('zend.exception_ignore_args', '1');
function handler($no, $msg, $file, $line) { throw new ErrorException($msg, 0, $no, $file, $line); }
set_error_handler('handler');
function f() { return $undefined . 'x'; }
echo f();
