<?php
// Behind a fatal error no destructor runs, neither of what died together nor of what holds it, and nothing catches anything any more.
register_shutdown_function(function () { echo "shutdown\n"; });
class Leaf {
    function __construct(public string $name, public ?Leaf $child = null) {}
    function __destruct() {
        echo $this->name, "\n";
        if ($this->name === 'fatal') {
            eval('function twice() {} function twice() {}');
        }
        if ($this->name === 'throwing') {
            throw new Exception('never');
        }
    }
}
function holds($leaf) {
    $local = new Leaf('local', new Leaf('below'));
    try {
        $leaf = [new Leaf('first'), new Leaf('fatal', new Leaf('child')), new Leaf('throwing'), new Leaf('last')];
        $leaf = null;
    } catch (Throwable $e) {
        echo "caught\n";
    } finally {
        echo "finally\n";
    }
}
$global = new Leaf('global');
holds(null);
echo "never\n";
