<?php
// Property reads and writes nested through magic methods that replace the base variable.
class M
{
    public $data = ['in' => ['k' => 'v']]; public $real = 'r';
    function __get($n) { global $m; echo "get($n) "; $m = 'replaced'; return $this->data[$n] ?? $this; }
    function __set($n, $v) { global $m; echo "set($n) "; $m = 'replaced by set'; $this->data[$n] = $v; }
    function __isset($n) { global $m; echo "isset($n) "; $m = null; return true; }
    function __unset($n) { global $m; echo "unset($n) "; $m = new stdClass; }
    function __call($n, $a) { global $m; echo "call($n) "; $m = 'replaced by call'; return $this; }
    function __destruct() { echo '~M '; }
}
foreach ([
    fn() => $GLOBALS['m']->a->b->real, fn() => $GLOBALS['m']->in['k'], fn() => $GLOBALS['m']->a->x = 5, fn() => $GLOBALS['m']->n .= 'x', fn() => $GLOBALS['m']->n++,
    fn() => isset($GLOBALS['m']->a->b), fn() => $GLOBALS['m']->a ?? 'd', fn() => $GLOBALS['m']->q ??= 'asg', fn() => $GLOBALS['m']->foo()->bar()->real, function () { unset($GLOBALS['m']->a->b); },
    function () { $r = &$GLOBALS['m']->data['in']['k']; $GLOBALS['m']->foo(); $r = 'via ref'; return $r; }, fn() => $GLOBALS['m']->a . $GLOBALS['m'], fn() => [$GLOBALS['m']->x1, $GLOBALS['m']], fn() => "{$GLOBALS['m']->in['k']}{$GLOBALS['m']}", fn() => $GLOBALS['m']?->a?->real, fn() => $GLOBALS['m']->{strtolower($GLOBALS['m']->in['k'])}, function () { foreach ($GLOBALS['m']->in as $k => $v) { $GLOBALS['m']->z; echo "$k=$v "; } },
] as $i => $f) {
    $m = new M; echo $i, ': ';
    try { $r = $f(); echo is_object($r) ? get_class($r) : json_encode($r, JSON_PARTIAL_OUTPUT_ON_ERROR); } catch (Error $e) { echo get_class($e), ' ', $e->getMessage(); }
    unset($r, $e); echo ' | ', is_object($m) ? get_class($m) : json_encode($m), "\n";
}
