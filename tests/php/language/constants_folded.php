<?php
// Operators on constants: what PHP computes when it compiles is simple, which shows in the order of commutative operands.
function t($c) { echo $c, ' => '; try { var_dump(eval("return $c;")); } catch (Error $e) { echo $e->getMessage(), "\n"; } }
foreach (['([$a] = 0.1) | function () {}', '([$f] = []) & ($z / 2)', '([$f] = [$g] = []) & ($z / 2)', '([$f] = $q) & ($z / 2)', '([$f] = $q) & []','([$f] = abs(1)) & []', '($f = 0.1) | function () {}', '[] * ($f = 1)', '[] * ([$f] = 1)', '[] * -true', '[] * (4 * true)', '[] * (4 + null)', '[] * ("5" + 1)', '[] * ("5 " + 1)', '[] * ("5x" + 1)', '[] * (5.0 % 3)', '[] * (5.5 % 3)', '[] * ("5" | 3)', '[] * ("5" | "3")', '[] * -"5"', '[] * +null', '[] * ~true', '[] * (1 > [])', '[] * (null << true)', '4*true', 'true+true', 'null-"1.5"', '"1e3"*"2"', '"9223372036854775807"+1', '"0x1A"+1', '"7"%"0"', 'true/false', 'true/"4"', '5 ** true', '"2"**"3"', '2.0|1', '2.5|1', '"2.0"|1','"2.5"|1', '~"ab"', '-"abc"', '-""', '1 << "65"', '1 << "-1"', 'PHP_INT_MAX + true', '-PHP_INT_MAX - "2"', '"" + 1', '" 1" + 1', '"1 " + 1', '+true', '+"1.50"', '-null', '-false', '-"0"', '0 * -"5"', '1.5e3 % "7"', '"12abc" == 12', '1e20|1', '"1e20"|1','NAN|1','"9223372036854775808" % 2'] as $c) t($c);

const Q = [1, 2][1]; const R = "abc"[-1]; 
class K { const A = ['x' => [1, 2]]['x'][0]; public $p = [1, 2][0] + "5"[0]; const B = [true => 1][1.0]; }
var_dump(Q, R, K::A, (new K)->p, K::B, [1][0], "abc"[0], "abc"["1"], [1, 2][true], ["" => 4][null], ["a" => 1]["a"], "abc"[3] ?? 'none', [1][2] ?? 'none', isset([1][0]), isset("abc"[1][0]), isset("abc"[5]));
try { var_dump("abc"[1.7]); } catch (Error $e) { echo $e->getMessage(); }
var_dump("abc"[true], [1, 2][1.7]);
try { var_dump("abc"["x"]); } catch (Error $e) { echo $e->getMessage(); }
var_dump([1][5]); var_dump("abc"[5]);
try { var_dump([1][[]]); } catch (Error $e) { echo $e->getMessage(); }
foreach ([[1, 2], [3]][0] as $v) echo $v;
