<?php
// Each ArrayAccess method throws at each use.
class T implements ArrayAccess
{
    function __construct(public string $at) {}
    private function go($m, $o) { echo "$m "; if ($this->at === $m) throw new Exception("$m threw"); }
    function offsetExists($o): bool { $this->go('exists', $o); return true; }
    function offsetGet($o): mixed { $this->go('get', $o); return 1; }
    function offsetSet($o, $v): void { $this->go('set', $o); }
    function offsetUnset($o): void { $this->go('unset', $o); }
}
foreach (['exists', 'get', 'set', 'unset'] as $at) {
    echo "== $at\n";
    $ops = [
        'read' => function ($t) { return $t['k']; }, 'write' => function ($t) { $t['k'] = 1; }, 'append' => function ($t) { $t[] = 1; }, 'isset' => function ($t) { return isset($t['k']); },
        'empty' => function ($t) { return empty($t['k']); }, 'coalesce' => function ($t) { return $t['k'] ?? 0; }, 'assign-coalesce' => function ($t) { return $t['k'] ??= 0; },
        'compound' => function ($t) { return $t['k'] += 1; }, 'inc' => function ($t) { return $t['k']++; }, 'unset' => function ($t) { unset($t['k']); },
        'list' => function ($t) { [$a, $b] = $t; return $a; }, 'nested' => function ($t) { return $t['k']['l'] ?? 'nd'; }, 'string' => function ($t) { return "v{$t['k']}"; },
        'argument' => function ($t) { return max($t['a'], $t['b']); }, 'array_key_exists' => function ($t) { return array_key_exists('k', $t); },
    ];
    foreach ($ops as $name => $op) try { echo $name, ': ', json_encode($op(new T($at))), "\n";
} catch (Throwable $e) { echo $e->getMessage(), "\n";
}
}
