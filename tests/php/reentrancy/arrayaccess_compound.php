<?php
// Compound operations on ArrayAccess whose methods change the container variable.
class A implements ArrayAccess
{
    public $d = ['n' => 1];
    function offsetExists($o): bool { echo "E($o) "; $GLOBALS['x'] = 'from exists'; return true; }
    function offsetGet($o): mixed { echo "G($o) "; $GLOBALS['x'] = 'from get'; return $this->d[$o] ?? null; }
    function offsetSet($o, $v): void { echo "S($o,$v) "; $GLOBALS['x'] = 'from set'; $this->d[$o] = $v; }
    function offsetUnset($o): void { echo "U($o) "; $GLOBALS['x'] = 'from unset'; }
    function __destruct() { echo '~A '; }
}
foreach ([
    fn() => $GLOBALS['x']['n'] += 5, fn() => $GLOBALS['x']['n']++, fn() => $GLOBALS['x']['n'] .= 's', fn() => $GLOBALS['x']['n'] ??= 'd',
    fn() => $GLOBALS['x']['q'] ??= 'd', fn() => isset($GLOBALS['x']['n']), fn() => empty($GLOBALS['x']['n']), fn() => $GLOBALS['x']['n'] ?? 'd',
    function () { unset($GLOBALS['x']['n']); }, fn() => $GLOBALS['x']['n'] = 7, fn() => $GLOBALS['x'][] = 8,
    function () { global $x; [$a, $b] = $x; return $a; }, function () { global $x; ['n' => $a] = $x; return $a; }, function () { global $x; return $x['n'] . $x; },
] as $i => $f) {
    $x = new A;
    echo $i, ': ';
    try { echo json_encode($f()); } catch (Error $e) { echo $e->getMessage(); }
    echo ' ', json_encode($x), "\n";
}
