<?php
// $a[undefined] op= value with a handler that unsets, empties or grows the array.
foreach (['unset' => function () { unset($GLOBALS['a']); }, 'empty' => function () { $GLOBALS['a'] = []; }, 'grow' => function () { for ($i = 0; $i < 100; $i++) $GLOBALS['a']["g$i"] = $i; }, 'same key' => function () { $GLOBALS['a']['u'] = 'by handler'; }, 'throw' => function () { throw new Exception('thrown'); }] as $name => $do) {
    echo "== $name\n";
    foreach (['+= 1', '.= "s"', '++', '??= 5', '|= 1', '[] = 1', '["d"]["e"] = 1', '= &$fresh'] as $op) {
        $GLOBALS['a'] = ['one' => 1];
        set_error_handler(function ($n, $m) use ($do) { static $once = 0; if (!$once++) { echo "[$m] "; $do(); } return true; });
        try { eval("\$a['u']$op;"); } catch (Exception $e) { echo $e->getMessage(), ' '; }
        restore_error_handler();
        echo $op, ' ', isset($a) ? json_encode(is_array($a) && count($a) > 50 ? ['count' => count($a), 'u' => $a['u'] ?? null] : $a) : 'unset', "\n";
        unset($fresh);
    }
}
