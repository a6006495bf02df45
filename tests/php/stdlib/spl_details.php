<?php
// Numbers of objects during iterations, properties behind ArrayObject, shared numbering of serialised values, what changes while it is used.
foreach (new ArrayIterator([1]) as $v) {
    var_dump(new stdClass);
}
foreach (new ArrayObject([1]) as $v) {
    var_dump(new stdClass);
}
foreach ((function () { yield 1; })() as $v) {
    var_dump(new stdClass);
}
var_dump(new stdClass);
class P extends ArrayObject { public $p = 'slot'; private $hidden = 'h'; }
$o = new P(['p' => 'element', 'hidden' => 'seen'], ArrayObject::ARRAY_AS_PROPS);
var_dump($o->p, $o->hidden, isset($o->hidden));
unset($o->p);
var_dump($o->p, isset($o->p));
$o->p = 'new';
unset($o->hidden);
var_dump($o['p'], count($o), get_mangled_object_vars($o));
$x = new stdClass;
$a = new ArrayObject([$x, $x]);
echo $a->serialize(), "\n";
$s = new SplObjectStorage;
$s[$x] = $x;
echo $s->serialize(), "\n";
$t = new SplObjectStorage;
$t->unserialize('x:i:2;O:8:"stdClass":0:{},N;;r:2;,i:7;;m:a:0:{}');
var_dump(count($t));
foreach (['x:i:1;i:5;', 'x:i:0;m:i:1;', 'y'] as $bad) {
    try {
        $t->unserialize($bad);
    } catch (UnexpectedValueException $e) {
        echo $e->getMessage(), "\n";
    }
}
$f = SplFixedArray::fromArray([1, [2]]);
$f[1][] = 3;
var_dump((array) $f, $f);
class Shrinks {
    function __construct(public SplFixedArray $of) {}
    function __destruct() { $this->of->setSize(1); echo 'size still ', $this->of->getSize(), "\n"; }
}
$f = new SplFixedArray(4);
$f[3] = new Shrinks($f);
$f->setSize(3);
var_dump($f->getSize());
$l = new SplDoublyLinkedList;
foreach ([1, 2, 3] as $n) {
    $l[] = $n;
}
foreach ($l as $n) {
    $l->setIteratorMode(SplDoublyLinkedList::IT_MODE_LIFO);
    echo $n, ' ';
}
echo "\n";
foreach (new RecursiveTreeIterator(new RecursiveArrayIterator([1, [2, [3]]])) as $k => $v) {
    echo "$k $v\n";
}
$n = 0;
var_dump(iterator_apply(new ArrayIterator([1, 2, 3]), function () use (&$n) { $n++; return 1; }), $n);
spl_autoload_register($one = function ($c) use (&$two) { echo "one $c\n"; spl_autoload_register($two); });
$two = function ($c) { echo "two $c\n"; };
class_exists('Missing');
var_dump(spl_autoload_unregister('spl_autoload_call'), spl_autoload_functions(), spl_autoload_extensions('.x'));
$file = new SplTempFileObject;
$file->fwrite("a,b\nc,d\n");
$file->rewind();
var_dump($file->fgetcsv(), (string) $file, (string) $file);
try {
    $file->fputcsv([1], ',,');
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
foreach (new LimitIterator(new ArrayIterator([1, 2, 3]), 1, PHP_INT_MAX) as $v) {
    echo $v, ' ';
}
