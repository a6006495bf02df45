<?php
// Checks against builtin parents speak once, and of the parent's method alone; Serializable is spoken of in each class that is no modern one.
set_error_handler(function ($level, $message) { echo $message, "\n"; return true; });
eval('class Late extends SplObjectStorage { function valid() {} function current(): Missing|false {} }
class Missing {}');
eval('class Old implements Serializable { function serialize() {} function unserialize($x) {} } class Older extends Old {}');
eval('abstract class Part implements Serializable {} class Whole extends Part { function serialize() {} function unserialize($x) {} }');
// A class whose set hook names classes that come later is declared when it is reached.
var_dump(class_exists('Hooked', false));
interface Wide {}
interface Narrow extends Wide {}
class Hooked {
    public Narrow $p { set(Wide $p) { echo get_class($p), "\n"; } }
}
class Inherits extends Hooked {
    public Narrow $p { #[Override] set(Wide $p) { parent::$p::set($p); } }
}
class Fits implements Narrow {}
$inherits = new Inherits;
$inherits->p = new Fits;
class Backed { public $v { set { $this->v = 42; } } }
class Reads extends Backed { public $v { #[Override] get => parent::$v::get(); } }
$o = new Reads;
$o->v = 1;
var_dump($o->v);
// An access without a hook of its own initialises a lazy object.
class Lazy { public string $a { set => $value; } public string $b { get => $this->b; } }
$lazy = (new ReflectionClass(Lazy::class))->newLazyGhost(function ($o) { echo "init\n"; $o->a = 'a'; $o->b = 'b'; });
var_dump($lazy->a);
$lazy = (new ReflectionClass(Lazy::class))->newLazyGhost(function ($o) { echo "init\n"; $o->a = 'a'; $o->b = 'b'; });
$lazy->b = 'c';
var_dump($lazy->b);
