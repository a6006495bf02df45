<?php
// The same hazards on a local variable, through a closure that holds it by reference.
function run($code) {
    $a = ['v0', 'v1']; $rep = function ($v) use (&$a) { $a = $v; return 'rhs'; }; $app = function () use (&$a) { $a[] = 'app'; return 'rhs'; }; $un = function () use (&$a) { unset($a); return 'rhs'; };
    try { eval("$code;"); } catch (Error $e) { echo $e->getMessage(), ' '; }
    echo str_pad($code, 40), ' ', json_encode($a ?? 'unset', JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}
foreach (['$a[0] = $rep("str")', '$a[0] = $rep([7])', '$a[] = $app()', '$a["x"]["y"] = $app()', '$a["x"] = $un()', '$a[$rep([5])] = 1', '$a[0] .= $app()', '$a[0] .= $rep("q")', '$a[$app()] ??= $app()', 'foreach ($a as $k => $v) $rep([$k])', 'foreach ($a as $k => &$v) { $app(); if (count($a) > 5) break; }', '$a = $app() . count($a)', '$a[0] = $a[1] . $rep(["z"])', '[$a[0], $a[1]] = [$app(), $a]', '$a[1][0] = $rep([[1], [2]])', '$b = $a; $app(); $a = count($b) . count($a)', '$a = [...$a, $app(), ...$a]', '$a = compact("a") + [$app()]', '$r = &$a[1]; $rep(["n"]); $r = "R"', '$r = &$a["new"]; $app(); $r = "R"', '$s = "a"; $$s[0] = $app()', 'extract(["a" => [$app()]])'] as $c) run($c);
