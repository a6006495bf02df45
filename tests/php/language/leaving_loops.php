<?php
// Loop variables end when a loop is left early, and what their destructors throw belongs to the place of the loop.

class Last {
    public function __construct(public string $name, public bool $throw = false) {}
    public function __destruct() {
        echo "end of $this->name\n";
        if ($this->throw) throw new Exception("from $this->name");
    }
}
class Walk implements IteratorAggregate {
    public function __construct(private Last $last) {}
    public function getIterator(): Iterator { yield from [1, 2, 3]; }
}

function leave(bool $throw) {
    foreach (new Walk(new Last('walk', $throw)) as $n) {
        try {
            if ($n == 2) return "left at $n";
        } finally {
            echo "finally $n\n";
        }
    }
}
echo leave(false), "\n";
try {
    echo leave(true), "\n";
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}

function breaks() {
    try {
        foreach (new Walk(new Last('outer', true)) as $n) {
            foreach (new Walk(new Last('inner')) as $m) {
                if ($m == 2) continue 2;
                if ($n == 2) break 2;
                echo "$n$m\n";
            }
        }
        echo "not here\n";
    } catch (Exception $e) {
        return 'caught ' . $e->getMessage();
    }
}
echo breaks(), "\n";

function switches() {
    switch ((new Last('subject'))->name) {
        case 'subject':
            echo "case\n";
            return 1;
    }
}
switches();

function chain() {
    foreach (new Walk(new Last('first', true)) as $n) {
        try {
            throw new Exception('original');
        } finally {
            return 'replaced';
        }
    }
}
try {
    echo chain(), "\n";
} catch (Exception $e) {
    for (; $e; $e = $e->getPrevious()) echo get_class($e), ' ', $e->getMessage(), "\n";
}
