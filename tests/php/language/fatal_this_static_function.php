<?php
class A { static function m() { return $this->x; } function n() { return fn() => $this; } }
echo "compiles: ";
A::m();
