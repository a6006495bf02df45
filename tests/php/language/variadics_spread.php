<?php
// ...$args in signatures, calls and array literals.
function v($first, int ...$rest) { return $first . ':' . implode(',', $rest) . '#' . count($rest); }
echo v('a'), v('b', 1), v('c', ...[1, 2]), v(...['d', 3, 4]), v('e', ...[], ...[5], ...new ArrayIterator([6])), "\n";
try { v('x', 1, 'two'); } catch (TypeError $e) { echo preg_replace('/, called.*/', '', $e->getMessage()), "\n"; }
function &refs(&...$r) { foreach ($r as &$x) $x++; return $r; } $a = 1; $b = 2; refs($a, $b); echo $a, $b, "\n";
$arr = [1, 2, 3]; refs(...$arr); echo json_encode($arr), "\n";
echo json_encode([...[1, 2], ...[3], 4]), json_encode([...['a' => 1, 'b' => 2], ...['b' => 3, 'c' => 4]]), json_encode([...['x' => 1], 5, ...[6], 'x' => 9]), "\n";
echo json_encode([5 => 'five', ...['a', 'b']]), json_encode([...[-5 => 'm'], ...[1]]), "\n";
function gen() { yield 1; yield 'k' => 2; yield 3; } echo json_encode([...gen()]), "\n";
$five = 5; try { [...$five]; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { v(...null); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { v(...'str'); } catch (Error $e) { echo $e->getMessage(), "\n"; }
function badkeys() { yield [] => 1; } try { [...badkeys()]; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { v(...badkeys()); } catch (Error $e) { echo $e->getMessage(), "\n"; }
const PARTS = [1, 2]; const ALL = [0, ...PARTS, 3]; echo json_encode(ALL), "\n";
function defaults($a, $b = 2, ...$c) { return json_encode(func_get_args()); } echo defaults(1), defaults(1, 2, 3, 4), "\n";
function nul(?string ...$x) { return json_encode($x); } echo nul(null, 'a'), "\n";
class V { public $args; function __construct(...$args) { $this->args = $args; } static function mk(...$a) { return new static(...$a); } } echo json_encode(V::mk(1, x: 2)->args), "\n";
$f = fn(...$x) => array_sum($x); echo $f(1, 2, 3), $f(...array_fill(0, 100, 2)), "\n";
echo sprintf('%s-%s-%s', ...['a', 'b', 'c']), ' ', max(...[1, 9, 3]), ' ', max(1, ...[7]), "\n";
function few($a) { return func_num_args() . json_encode(func_get_args()); } echo few(1, 2, 3), ' ', few(...range(1, 5)), "\n";
function mod($a) { $a = 'changed'; return func_get_args(); } echo json_encode(mod('orig')), "\n"; function ga($a, $b) { return func_get_arg(1); } echo ga(1, 'second'), "\n";
try { (function () { return func_get_arg(5); })(1); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { few(); } catch (ArgumentCountError $e) { echo preg_replace('/ in \S+ on line/', ' in FILE on line', $e->getMessage()), "\n"; }
try { strlen(); } catch (ArgumentCountError $e) { echo $e->getMessage(), "\n"; }
try { strlen(1, 2); } catch (ArgumentCountError $e) { echo $e->getMessage(), "\n"; }
try { str_replace(1); } catch (ArgumentCountError $e) { echo $e->getMessage(), "\n"; }
try { new DateTime(1, null, 3); } catch (ArgumentCountError $e) { echo $e->getMessage(), "\n"; }
try { (new V)->nope(...[1]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
