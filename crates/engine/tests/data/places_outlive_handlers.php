<?php
// Nested writes whose handler, conversion or destructor frees or moves what the place stands in. What is asked: nothing is
// written to memory that belongs to something else, and unrelated values stay whole. (Stock PHP 8.4 fails here, so that this program
// cannot stand in tests/php, whose expected output comes from stock.)
class S { public $f; function __construct($f) { $this->f = $f; } function __toString(): string { return ($this->f)(); } }
class D { public $f; function __construct($f) { $this->f = $f; } function __destruct() { ($this->f)(); } }
function fill() { $x = []; for ($i = 0; $i < 50; $i++) { $x[] = ['v' => "filler $i", 'w' => [$i]]; } return $x; }
function whole($x) { foreach ($x as $i => $e) if ($e !== ['v' => "filler $i", 'w' => [$i]]) return "broken at $i"; return 'whole'; }
$actions = [
    'unset' => function () { unset($GLOBALS['a']); },
    'scalar' => function () { $GLOBALS['a'] = 1; },
    'other array' => function () { $GLOBALS['a'] = ['x' => ['y' => ['z' => 'other']]]; },
    'emptied' => function () { $GLOBALS['a']['x'] = []; },
    'grown' => function () { for ($i = 0; $i < 40; $i++) { $GLOBALS['a']["g$i"] = $i; $GLOBALS['a']['x']["g$i"] = $i; } },
];
foreach ($actions as $name => $action) {
    set_error_handler(function ($n, $m) use ($action) { static $once = 0; if (!$once++) { $action(); $GLOBALS['fill'] = fill(); } return true; });
    $writes = [
        'dim undef key' => function () { global $a; $a['x']['y'][$undef] = 'v'; },
        'dim undef value' => function () { global $a; $a['x']['y']['q'] = $undef; },
        'append undef value' => function () { global $a; $a['x']['y'][] = $undef; },
        'deep undef key' => function () { global $a; $a['x'][$undef]['y'] = 'v'; },
        'op missing' => function () { global $a; $a['x']['missing'] .= 'v'; },
        'inc missing' => function () { global $a; $a['x']['missing']++; },
        'unset' => function () { global $a; unset($a['x'][$undef]); },
        'reference' => function () { global $a; $r = &$a['x'][$undef]; $r = 5; },
        'reference from' => function () { global $a; $a['x'][$undef] = &$GLOBALS['other']; },
        'object in array' => function () { global $a; $a['x']['o']->p = $undef; },
        'object op' => function () { global $a; $a['x']['o']->p .= $undef; },
        'object array' => function () { global $a; $a['x']['o']->list[$undef] = 1; },
        'list' => function () { global $a; [$a['x']['y'], $a['x'][$undef]] = [1, $undef]; },
        'foreach' => function () { global $a; foreach ([1, 2] as $a['x'][$undef]) { } },
        'float key' => function () { global $a; $a['x'][1.5] = 'v'; },
        'by reference argument' => function () { global $a; $f = function (&$p) { $p = 'set'; }; $f($a['x'][$undef]); },
    ];
    foreach ($writes as $write => $do) {
        $GLOBALS['a'] = ['x' => ['y' => ['z' => 1], 'o' => new stdClass]];
        $GLOBALS['fill'] = null; $other = 'other';
        restore_error_handler();
        set_error_handler(function ($n, $m) use ($action) { static $once = 0; if (!$once++) { $action(); $GLOBALS['fill'] = fill(); } return true; });
        try { $do(); } catch (Error $e) { }
        $fill = $GLOBALS['fill'];
        if ($fill === null) echo "$name, $write: handler did not run\n";
        elseif (whole($fill) !== 'whole') echo "$name, $write: ", whole($fill), "\n";
    }
    restore_error_handler();
    $conversions = [
        'append to element' => function ($s) { global $a; $a['x']['y']['z'] .= $s; },
        'offset of string' => function ($s) { global $a; $a['x']['s'][1] = $s; },
        'property' => function ($s) { global $a; $a['x']['o']->p .= $s; },
        'key' => function ($s) { global $a; $a['x']['y'][(string) $s] = 1; },
        'typed' => function ($s) { global $a, $t; $t->s = $s; },
        'typed reference' => function ($s) { global $a, $t; $r = &$t->s; $r = $s; },
    ];
    foreach ($conversions as $what => $do) {
        $GLOBALS['a'] = ['x' => ['y' => ['z' => 'abc'], 'o' => new stdClass, 's' => 'string']];
        $GLOBALS['a']['x']['o']->p = 'p'; $t = new class { public string $s = 's'; };
        try { $do(new S(function () use ($action) { $action(); $GLOBALS['fill'] = fill(); return 'T'; })); } catch (Error $e) { }
        if (whole($fill) !== 'whole') echo "$name, $what: ", whole($fill), "\n";
    }
    foreach (['assign' => function () { global $a; $a['x']['d'] = 1; }, 'result' => function () { global $a, $r; $r = ($a['x']['d'] = [1]); }, 'reference' => function () { global $a, $other; $a['x']['d'] = &$other; }, 'unset' => function () { global $a; unset($a['x']['d']); }, 'list' => function () { global $a; [$a['x']['d'], $a['x']['e']] = [1, 2]; }] as $what => $do) {
        $GLOBALS['a'] = ['x' => ['d' => new D(function () use ($action) { $action(); $GLOBALS['fill'] = fill(); }), 'o' => 1]];
        try { $do(); } catch (Error $e) { }
        if (whole($fill) !== 'whole') echo "$name, destructor at $what: ", whole($fill), "\n";
    }
    echo "$name done\n";
}
