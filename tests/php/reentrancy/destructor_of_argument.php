<?php
// The arguments of a builtin are freed when its call is over: a destructor's trace does not show it.
class Loud
{
    public function __construct(public string $name)
    {
    }
    public function __destruct()
    {
        echo $this->name, ': ', (new Exception)->getTraceAsString(), "\n";
        foreach (debug_backtrace() as $entry) {
            echo '  ', $entry['function'], '(', count($entry['args'] ?? []), ")\n";
        }
        if ($this->name === 'throws') {
            throw new LogicException('thrown');
        }
    }
}
var_dump(in_array(new stdClass, [new Loud('in_array')], true));
function call(): int
{
    return count([1, new Loud('count'), new Loud('again')]);
}
var_dump(call());
var_dump(array_map('count', [[new Loud('array_map')]]));
try {
    var_dump(in_array(str_repeat('x', 100), [new Loud('throws')], true));
} catch (LogicException $e) {
    echo $e->getMessage(), ' ', $e->getTraceAsString(), "\n";
}
