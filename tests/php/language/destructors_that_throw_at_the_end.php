<?php
// Destructors that throw at the end of the request: the exception handler is told of each, and the others follow.

set_exception_handler(function (Throwable $e) {
    echo 'handler: ', $e->getMessage(), "\n";
});
register_shutdown_function(fn () => print "shutdown\n");

class Thrower
{
    public ?Thrower $other = null;

    public function __construct(private string $name)
    {
    }

    public function __destruct()
    {
        echo "destructor of $this->name\n";
        throw new Error("thrown by $this->name");
    }
}

$a = new Thrower('a');
$b = new Thrower('b');
$c = new Thrower('c');
$d = new Thrower('d');
$c->other = $d;
$d->other = $c;
echo "end\n";
