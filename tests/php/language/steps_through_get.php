<?php
// What `++` and `--` have read through `__get` is written, whether or not the step had an effect.
class C0 {
    public function go() {
        $a = $this->dyn--; var_dump($a);
        $a = $this->dyn++;  var_dump($a);
        $this->x--;
        ++$this->y;
        $this->z += 1;
        $this->w[] = 1;
        $this->v ??= 5;
        $q = &$this->u;
    }
    public function __get($name) { echo "get $name\n"; }
}
set_error_handler(function($n, $m) { echo $m, "\n"; });
$o = new C0; $o->go(); var_dump($o);
class C1 { public ?int $p = 5; public $r = 1;
   public function go() {
    unset($this->p, $this->r);
        $a = $this->p--; var_dump($a);
        $a = $this->p++; var_dump($a);
        $a = $this->r--; var_dump($a);
        unset($this->p, $this->r);
        $a = $this->r++; var_dump($a);
        unset($this->p, $this->r);
        $a = --$this->r; var_dump($a);
        unset($this->p, $this->r);
        $a = --$this->p; var_dump($a);
        --$this->p; --$this->r;
        var_dump($this);
    }
    public function __get($name) { echo "get $name\n"; }
    }
$o = new C1; $o->go(); 
class C2 extends C1 {
 public function __get($name) { echo "get $name\n"; return 5; }
 public function __set($name, $v) { echo "set $name\n"; var_dump($v); }
}
$o = new C2; $o->go();
class C3 { function __get($n) { return "a"; } }
$o = new C3; $o->a++; $o->b--; var_dump($o);
#[AllowDynamicProperties] class C4 { function __get($n) { return []; } }
$o = new C4; try { $o->a++; } catch (Error $e) { echo $e->getMessage(); } var_dump($o);
class C5 { function __get($n) { return true; } }
$o = new C5;  $o->a++; $o->b--; var_dump($o);
