<?php
class P { public int|string $v { set(int|string|array $value) { $this->v = 1; } } }
class C extends P { public int|string $v { set(int|string $value) { $this->v = 2; } } }
$c = new C;
$c->v = 'x';
var_dump($c->v);
class D extends C { public int|string $v { get => 5; set(int $value) { } } }
