<?php
class A { function m(int $a, ?string $b = null) {} }
class B extends A { function m(string $a) {} }
