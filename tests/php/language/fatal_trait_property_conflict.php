<?php
trait A { public $x = 1; }
class C { use A; public $x = 2; }
