<?php
// A trace that a program has written to is shown as far as it is one.
$e = new Exception('message');
$trace = new ReflectionProperty('Exception', 'trace');
foreach ([
    [null],
    [[]],
    [['file' => null, 'class' => null, 'type' => 1, 'function' => [], 'args' => 'none']],
    [['file' => 'f.php', 'line' => 3, 'class' => 'C', 'type' => '::', 'function' => 'm', 'args' => [1, 'n' => 'x']]],
] as $written) {
    $trace->setValue($e, $written);
    echo $e->getTraceAsString(), "\n";
}
set_error_handler(function ($level, $message) { throw new Error($message); });
$trace->setValue($e, [['function' => 5]]);
try {
    $e->getTraceAsString();
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
restore_error_handler();
// A dynamic property is not seen where the scope declares one of its name.
class Declares {
    private $p = 'private';
    function vars() { return get_object_vars($this); }
}
#[AllowDynamicProperties] class Extends_ extends Declares {}
$o = new Extends_;
$o->p = 'dynamic';
print_r($o->vars());
print_r(get_object_vars($o));
