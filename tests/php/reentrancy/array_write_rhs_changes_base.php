<?php
// The right-hand side or a subscript of an array write changes the array that is written to.
function rep($v) { $GLOBALS['a'] = $v; return 'rhs'; }
function app() { $GLOBALS['a'][] = 'appended'; return 'rhs'; }
function un() { unset($GLOBALS['a']); return 'rhs'; }
function key_rep($v) { $GLOBALS['a'] = $v; return 'k'; }
foreach (['$a[0] = rep("str")', '$a[0] = rep([7, 8])', '$a[] = app()', '$a["x"]["y"] = app()', '$a["x"] = un()', '$a["x"]["y"] = un()', '$a[key_rep([5])] = 1', '$a[key_rep("s")] = 1', '$a[key_rep(null)]["z"] = app()', '$a[0] .= rep([1])', '$a[0] .= app()', '$a[0] += strlen(un())', '$a[key_rep([5])] ??= 1', '[$a[0], $a[1]] = [rep(["p", "q"]), app()]', '$a[0] = $a[1] = app()', '$a[app()] = $a', '$a[] = $a', '$a[0] = &$a', '$a["self"]["self"] = $a', '$a[app()][app()] = app()', 'unset($a[key_rep([1, 2, "k" => 3])])', '$x = $a[key_rep(["k" => "found"])]', '$x = $a[0] . app() . count($a)', '$x = isset($a[key_rep(["k" => 1])])', '[$x, $y] = [$a, rep("gone")]', '$a[0] = [$a, app(), $a]', '$a = [$a[0], rep([9]), $a[0]]', '$a[0] = rep($a)', '$a[0] = (fn() => $GLOBALS["a"][1] = "arrow")()', '$a[strlen(app())] = count($a)'] as $code) {
    $a = ['v0', 'v1']; $x = $y = null;
    try { eval("$code;"); } catch (Error $e) { echo $e->getMessage(), ' '; }
    echo str_pad($code, 46), ' ', @json_encode(isset($a) ? $a : 'unset', JSON_PARTIAL_OUTPUT_ON_ERROR, 4), isset($x) ? ' x=' . json_encode($x) : '', "\n";
    unset($a);
}
