<?php
// An exception thrown by the exception handler is fatal.
set_exception_handler(function ($e) { echo 'got ', $e->getMessage(), "\n"; throw new LogicException('second'); });
throw new Exception('first');
