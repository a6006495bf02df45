<?php
// Loops whose stores, branches and calls an optimiser may take out, each with something a program can see.

class Noise {
    public function __construct(private string $name) {}
    public function __destruct() { echo "~{$this->name} "; }
}

function nothing() {}
function seven() { return 7; }
function with_default($x = 1) { return 8; }
function with_required($x) { return 9; }
function &by_reference() { static $v = 1; return $v; }

class Calls {
    private static function hidden() { return 'hidden'; }
    public static function open() { return 'open'; }
    public function method() { return 'method'; }
    public static function run() {
        $all = [];
        for ($i = 0; $i < 2; $i++) {
            $all[] = self::hidden() . self::open() . static::open();
        }
        return implode(',', $all);
    }
}
class Child extends Calls {
    public static function open() { return 'child'; }
}

function trivial_calls() {
    $sum = 0;
    for ($i = 0; $i < 3; $i++) {
        nothing();
        nothing(1, 2);
        $sum += seven() + with_default() + with_default(2) + with_required(3);
        $n = nothing();
        var_dump($n);
    }
    echo $sum, "\n", Calls::run(), ' ', Child::run(), ' ', Calls::open(), "\n";
    for ($i = 0; $i < 1; $i++) {
        try {
            with_required();
        } catch (ArgumentCountError $e) {
            echo preg_replace('/ in .*/', '', $e->getMessage()), "\n";
        }
    }
}

function too_few() {
    for ($i = 0; $i < 1; $i++) {
        with_required();
    }
}
function hidden_method() {
    for ($i = 0; $i < 1; $i++) {
        echo Calls::hidden();
    }
}
function not_static() {
    for ($i = 0; $i < 1; $i++) {
        echo Calls::method();
    }
}

function dead_stores() {
    $list = ['a' => 1, 'b' => null];
    $text = 'text';
    for ($i = 0; $i < 2; $i++) {
        $x = $list['a'];
        $x = $text[1];
        $x = $undefined;
        $x = $list['missing'];
        $x = $text[9];
        $x = $list['b'] ?: 'else';
        $y = $text . $list['a'];
        $z = [$x, $y];
    }
    echo "$x $y ", count($z), "\n";
}

function destructors() {
    $o = new Noise('first');
    for ($i = 0; $i < 3; $i++) {
        echo $i, ' ';
        $o = $i;
        $p = new Noise("p$i");
    }
    echo "end ";
}

function references() {
    $a = 1;
    $b = &$a;
    for ($i = 0; $i < 3; $i++) {
        $a = $i;
        echo $b, ' ';
        $c = 5;
        $d = &$c;
        $d++;
        echo $c, ' ';
        $e = 1;
        settype($e, 'string');
        var_dump($e);
        preg_match('/x/', 'x', $f);
        $f = 3;
    }
    $g = 1;
    $h = function () use (&$g) { return $g++; };
    for ($i = 0; $i < 2; $i++) {
        $g = 10;
        $h();
        echo $g, ' ';
    }
    for ($i = 0; $i < 2; $i++) {
        static $s = 0;
        $s = $s + 1;
        global $glob;
        $glob = $i;
    }
    echo $s, $GLOBALS['glob'], "\n";
}

function changes(&$x) { $x = 'changed'; }
function by_unknown($f) {
    for ($i = 0; $i < 2; $i++) {
        $v = 1;
        $f($v);
        echo $v, ' ';
    }
    echo "\n";
}

function by_name() {
    for ($i = 0; $i < 2; $i++) {
        $seen = $i;
        $name = 'seen';
        $$name = $$name + 10;
    }
    return compact('seen', 'i');
}

function arguments($a, $b) {
    for ($i = 0; $i < 1; $i++) {
        $a = 'new';
        $b = null;
        echo json_encode(func_get_args()), ' ';
        echo json_encode(debug_backtrace()[0]['args']), "\n";
    }
}

function overflow() {
    $i = PHP_INT_MAX - 2;
    $n = 0;
    while ($n < 5) {
        $i = $i + 1;
        $n = $n + 1;
    }
    var_dump($i);
    $i = PHP_INT_MIN + 1;
    for ($n = 0; $n < 3; $n++) {
        $i = $i - 1;
    }
    var_dump($i);
    $count = 0;
    for ($i = PHP_INT_MAX - 1; $i <= PHP_INT_MAX; $i++) {
        if (++$count > 3) break;
    }
    var_dump($i, $count);
}

function counting($limit) {
    $seen = [];
    for ($i = 0; $i < $limit; $i++) {
        $seen[] = $i;
        if (count($seen) > 4) break;
    }
    for ($i = 5; $i > 3; $i--) $seen[] = $i;
    for ($i = 0; $i <= 2; $i++) $seen[] = $i;
    for ($i = 'a'; $i < 'd'; $i++) $seen[] = $i;
    for ($i = 0.5; $i < 3; $i++) $seen[] = $i;
    for ($i = null; $i < 2; $i++) $seen[] = $i;
    for ($i = 0; $i < 4; $i++) {
        if ($i == 1) $i = 2.5;
        $seen[] = $i;
    }
    echo json_encode($seen), "\n";
}

function floats() {
    $z = 0;
    $s = 0.5;
    for ($i = 0; $i < 4; $i++) {
        $t = $z * $z - 2 * $s + 1;
        $s = $s * 1.5 + $i;
        $z = $t;
        $w = 3 - $s;
        $w = 2 * $w;
        $u = $i + 0.1;
        $u = $u / 3;
    }
    var_dump($t, $s, $z, $w, $u);
    $x = 1.5;
    for ($i = 0; $i < 3; $i++) {
        $x = $x + 1;
        if ($i == 0) $x = '7';
        else if ($i == 2) $x = [$x];
    }
    var_dump($x);
}

function branches() {
    $yes = true;
    $no = 0;
    $nothing = null;
    for ($i = 0; $i < 2; $i++) {
        echo $yes ? 'a' : 'b', $no ? 'c' : 'd', $nothing ?: 'e', $yes && $no ? 'f' : 'g', $yes || $i ? 'h' : 'i', $nothing ?? 'j';
        if ($no) {
            echo undefined_function();
        }
        while ($no) {
            break;
        }
        switch ($yes) {
            case false: echo 'k'; break;
            case true: echo 'l'; break;
        }
        $later = $i ? $yes : $no;
        echo $later ? 'm' : 'n', ' ';
    }
    echo "\n";
    $flag = false;
    for ($i = 0; $i < 3; $i++) {
        echo $flag ? 'on ' : 'off ';
        $flag = !$flag;
    }
    echo "\n";
}

function division() {
    $zero = 0;
    for ($i = 0; $i < 1; $i++) {
        $x = 5 % 3;
        $x = 1 / $zero;
    }
}

function jumps() {
    $i = 0;
    again:
    $x = 3;
    $i++;
    if ($i < 3) goto again;
    echo $i, $x, "\n";
    do {
        $dead = 4;
    } while (--$i > 0);
    echo $i, "\n";
}

function strings_grow() {
    $s = '';
    $t = 'x';
    for ($i = 0; $i < 3; $i++) {
        $s .= $t;
        $u = $s . $t;
        $t = $t . $i;
    }
    echo "$s $t $u\n";
}

function generator() {
    for ($i = 0; $i < 3; $i++) {
        $dead = $i;
        $got = yield $i;
        $alive = $got;
        echo $alive, ' ';
    }
}

trivial_calls();
foreach (['too_few', 'hidden_method', 'not_static', 'division'] as $f) {
    try {
        $f();
    } catch (Error $e) {
        echo get_class($e), ': ', preg_replace('/ in \S+ on line/', ' on line', $e->getMessage()), ' at ', $e->getLine(), "\n";
    }
}
dead_stores();
destructors();
echo "\n";
references();
by_unknown('changes');
by_unknown(fn (&$x) => $x = 'arrow');
print_r(by_name());
arguments(1, 2);
overflow();
counting(3);
counting('2');
counting(2.5);
floats();
branches();
jumps();
strings_grow();
$g = generator();
foreach (['p', 'q', 'r'] as $v) {
    $g->current();
    $g->send($v);
}
echo "\n";
