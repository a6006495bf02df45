<?php
// Helpers of the stdlib tests: call a function with many argument lists and print call, diagnostics and result on one line each.

function v(mixed $x, int $depth = 0): string
{
    if (is_string($x)) {
        $j = json_encode($x, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        return $j === false ? 'hex:' . bin2hex($x) : $j;
    }
    if (is_array($x)) {
        if ($depth > 6) return '[...]';
        $list = array_is_list($x);
        $parts = [];
        foreach ($x as $k => $e) $parts[] = ($list ? '' : v($k) . '=>') . v($e, $depth + 1);
        return '[' . implode(', ', $parts) . ']';
    }
    if (is_object($x)) {
        if ($x instanceof UnitEnum) return $x::class . '::' . $x->name;
        if ($x instanceof Closure) return 'Closure';
        $class = strtok($x::class, "\0");
        if ($depth > 3) return $class . '{...}';
        $parts = [];
        foreach (get_object_vars($x) as $k => $e) $parts[] = "$k: " . v($e, $depth + 1);
        return $class . '{' . implode(', ', $parts) . '}';
    }
    if (is_resource($x)) return 'resource(' . get_resource_type($x) . ')';
    return var_export($x, true);
}

/** each('f', [args], [args], ...): one line per call. */
function each(string|array|Closure $f, array ...$calls): void
{
    $name = is_string($f) ? $f : (is_array($f) ? (is_object($f[0]) ? $f[0]::class . '->' : "$f[0]::") . $f[1] : 'fn');
    foreach ($calls as $args) {
        $shown = [];
        foreach ($args as $k => $a) $shown[] = (is_string($k) ? "$k: " : '') . v($a);
        echo $name, '(', implode(', ', $shown), ') ';
        try {
            $r = $f(...$args);
            echo '= ', v($r), "\n";
        } catch (Throwable $e) {
            echo '! ', $e::class, ': ', $e->getMessage(), "\n";
        }
    }
}

/** show(label, value...) */
function show(string $label, mixed ...$xs): void
{
    echo $label, ': ', implode(' | ', array_map('v', $xs)), "\n";
}

set_error_handler(function (int $no, string $msg): bool {
    $names = [E_WARNING => 'Warning', E_NOTICE => 'Notice', E_DEPRECATED => 'Deprecated', E_USER_WARNING => 'User warning', E_USER_NOTICE => 'User notice', E_USER_DEPRECATED => 'User deprecated'];
    if (error_reporting() & $no) echo '<', $names[$no] ?? $no, ': ', $msg, '> ';
    return true;
});
