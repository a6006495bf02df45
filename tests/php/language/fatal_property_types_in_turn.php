<?php
// What is wrong with a property is told before the next one is looked at.
class C1 { public $x; public $y; }
class C2 extends C1 { public int $x; private $y; }
