<?php
// PHP 8.4: members of a new object without parentheses around the new expression.
class A implements ArrayAccess {
    public $p = 'prop';
    public array $list = [10, 20];
    const C = 'const';
    public static $s = 'static';
    function __construct(public int $n = 1) {}
    function m() { return "m{$this->n}"; }
    static function st() { return 'st'; }
    function __invoke($x) { return $x . $this->n; }
    function offsetExists($o): bool { return true; }
    function offsetGet($o): mixed { return "off$o"; }
    function offsetSet($o, $v): void {}
    function offsetUnset($o): void {}
    function self() { return $this; }
}
echo new A()->m(), new A(5)->p, new A()::C, new A()::$s, new A()::st(), new A(7)('inv'), new A()['key'], new A()->list[1], "\n";
echo new A(3)?->self()->m(), new A(n: 9)->self()->n, "\n";
$cls = 'A';
echo new $cls(4)->m(), new ('A')(6)->n, "\n";
echo new class { public $x = 'anon'; }->x, new class(8) extends A {}->m(), "\n";
[$a, $b] = new A()->list;
echo $a + $b, isset(new A()->list[0]) ? 'set' : 'no', "\n";
