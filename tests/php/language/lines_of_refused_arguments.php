<?php
// A value that a parameter by reference refuses has the line where it ends; a case the one of the last thing that was compiled in it.
function f1(bool|int|null $x, &$y = 1) {
}
function tell($f) { try { $f(); } catch (Error $e) { echo $e->getMessage(), " ", $e->getLine(), "\n"; } }
tell(function() { f1(static function () {
}, (object) 1); });
tell(function() { f1(1,
 (object) 1); });
tell(function() { f1(1,
 1 + $x); });
tell(function() { f1(1,
 1 +
 $x); });
tell(function() { f1(1,
 1); });
tell(function() { f1(1,
 new
stdClass(
1
)); });
tell(function() { f1(1, 2
 ); });
tell(function() {
 switch (1) { case new class([]) { public function __construct(public $p0) {} }: { } } 
 switch (1) {
    case new class([]) { public function __construct(public $p0) {} }: { }
 }
 switch (1)
 {
    case new class([]) { 
       public function __construct(public $p0) {} 
    }: { }
 }
 switch (1)
 {
    case new class([1 + 2]) { 
       public function __construct(public $p0) {} 
    }: { }
 }
 switch (1)
 {
    case new class($x) { 
       public function __construct(public $p0) {} 
    }: { }
 }
 switch (1)
 {
    case new class() { 
       public $p = 1; 
    }: { }
 }
 switch (1)
 {
    case new Exception([]): { }
 }
});
tell(function() {
 switch (1)
 {
    case 1 * new Exception(1 + 2): { }
 } });
tell(function() {
 switch (1)
 {
    case [] * foo(1 + 2): { }
 } });
tell(function() {
 switch (1)
 {
    case [] * $x->foo(1 + 2): { }
 } });
tell(function() {
 switch (1)
 {
    case [] * foo([]): { }
 } });
tell(function() {
 switch (1)
 {
    case [] * new Exception(1 + 2, 1 + 1): { }
 } });
tell(function() {
 switch (1)
 {
    case [] * (clone new Exception(1 + 2, 1 + 1)): { }
 } });
tell(function() {
 switch (1)
 {
    case [] * [new Exception(1 + 2)]: { }
 } });
tell(function() {
 switch (1)
 {
    case (int) new class(1 + 2) { function __construct($a) {} }: { }
 } });
tell(function() {
 switch (1)
 {
    case new class(1 + 2) { function __construct($a) {} } * 1: { }
 } });
tell(function() {
 switch (1)
 {
    case 1 * new class(1 + 2) { function __construct($a) {} }: { }
 } });
tell(function() {
 switch (1)
 {
    case 1 * new class(M_PI) { function __construct($a) {} }: { }
 } });
tell(function() {
 switch (1)
 {
    case 1 * new class(new class { public $x = 1;
 }, 1 + 1) { function __construct($a) {} }: { }
 } });
function foo($x) { return []; }
