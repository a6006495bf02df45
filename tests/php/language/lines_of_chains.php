<?php
// The parts of a chain have the lines of their keys and names; the call of a value has the line of its parenthesis.
$e = $g[1
][
2
];
$e = $g
[1
]
->x
[
3];
try { $g[1
]
[
3]->x
->y = 1; } catch (Error $e) { echo $e->getMessage(), $e->getLine(), "\n"; }
isset($q[1
][$z][2
]);
try { $h = 1;
$h[1
]
[
3]->x
->y += 
1;
} catch (Error $e) { echo $e->getMessage(), $e->getLine(), "\n"; }
class P { function m0(int $x) {} static function s(int $x) {} public function __invoke(int $x) {} }
foreach ([
function() { $o = new P; [$o, 'm0']
(
)
; },
function() { $o = new P; [$o,
'm0']
(
)
; },
function() { $o = new P; [
$o,
'm0'
]
(
)
; },
function() { [
new P,
'm0'
]
(
)
; },
function() { (
new P
)
(
)
; },
function() { (function (int $x) {

}
)
(
)
; },
function() { (function (int $x) {

})
(
)
; },
function() { [function (int $x) {

}, '__invoke']
(
)
; },
function() { (fn (int $x) =>
5
)
(
)
; },
function() { (new class extends P { 

})
(
)
; },
function() { (clone new class extends P { 

})
(
)
; },
function() { (clone function(int $x) { 

})
(
)
; },
function() { (1 ? function(int $x) { 

} : 2)
(
)
; },
function() { (($x = new class extends P { 

}) ?: 2)
(
)
; },
function() { (new P 

)
(
)
; },
function() { (new class extends P {

} + 1)
(
)
; },
function() { ((new class extends P {

})->foo)
(
)
; },
function() { $f = 'sprintf'; ((new class extends P {

}) and 
$f . ['a'])
(
)
; },
] as $f) { try { $f(); } catch (Error $e) { echo $e->getMessage(), $e->getLine(), "\n", $e->getTraceAsString(), "\n"; } }
