<?php
trait A { abstract function f(int $x): string; }
class C { use A; function f(string $x): string { return ''; } }
