<?php
// Of two equal values a call of min or max by its name takes another one than a call of a value, in a namespace, too.
namespace N;
var_export(min(1, 1.0));
var_export(max(1, 1.0));
var_export(\min(1, 1.0));
$f = 'min';
var_export($f(1, 1.0));
var_export(call_user_func('min', 1, 1.0));
var_export(array_map('min', [1], [1.0]));
var_export(\call_user_func('min', 1, 1.0));
$c = min(...);
var_export($c(1, 1.0));
var_export(\array_reduce([1.0], 'min', 1));
var_export((fn() => min(1, 1.0))());
var_export(implode(',', [1]));
var_export(min(...[1, 1.0]));
