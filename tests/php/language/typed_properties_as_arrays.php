<?php
// The type of a property is asked before an array begins in it, but not before `++`, `op=` and `unset` of an element.
class A { public ?bool $b = false; public int|false $i = false; public protected(set) bool $p = false; private(set) bool $q = false;
public readonly bool $r; public ?int $n = null; public protected(set) int $s = 3; public protected(set) ?int $t = null;
public protected(set) string $str = ""; 
  function w() { return function() {
   yield fn() => $this->b[1] = 2; yield fn() => $this->p[1] = 2; yield fn() => $this->q[1] = 2; yield fn() => $this->n[1] = 3; yield fn() => $this->t[1] = 3; yield fn()=> $this->s[1] = 2;
   yield function() { $r = &$this->p; $r[1] = 2; };
   yield function() { $r = &$this->p[1]; };
   yield function() { $r = &$this->p->b; };
   yield function() { $this->p[1]++; };
   yield function() { $this->p[1] .= 2; };
   yield function() { $this->p[1][2] = 2; };
   yield function() { $this->t[1][2] = 2; };
   yield function() { $this->t = [1,2]; };
   yield function() { $this->t[] = &$this->p; };
   yield function() { $this->str[] = &$this->p; };
   yield function() { $this->str[1]['2'] = 2; };
   yield function() { foreach ([1,2] as $this->t[1]); };
   yield function() { [$this->t[1]] = [3]; };
   yield function() { unset($this->p[1]); };
  }; }
}
class A2 extends A {}
foreach (["A", "A2"] as $c) foreach ((new $c)->w()() as $f) { $o = new $c; $f = $f->bindTo($o, $c); try { $f(); } catch (Error $e) { echo get_class($e), ' ', $e->getMessage(), "\n"; } var_dump($o); }
class B { public bool $b = false; public ?int $n = null; public protected(set) bool $p = false; public static bool $s = false; public int|false $u = false;
function m() {
 foreach ([
   function() { $this->p[1]++; },
   function() { $this->p[1] .= 2; },
   function() { $this->p[1][2] .= 2; },
   function() { $this->p->x .= 2; },
   function() { $this->p[] .= 2; },
   function() { $this->p[1] ??= 2; },
   function() { $this->b[1]++; },
   function() { $this->b[1] .= 2; },
   function() { $this->b[1][2] .= 2; },
   function() { $this->b->x .= 2; },
   function() { $this->b[] .= 2; },
   function() { $this->b[1] ??= 2; },
   function() { $this->n[1]++; },
   function() { $this->n[1] .= 2; },
   function() { $this->n[1][2] .= 2; },
   function() { $this->n->x .= 2; },
   function() { $this->n[] .= 2; },
   function() { $this->n[1] ??= 2; },
   function() { $this->u[1]++; },
   function() { unset($this->u[1]); },
   function() { self::$s[1] ??= 2; },
   function() { $r = &$this->b; $this->b[1]++; },
   function() { $r = &$this->p; $this->p[1]++; },
   function() { $r = &$this->p; $this->p[1] = 3; },
  ] as $f) { $o = new B; $f = $f->bindTo($o); try { $f(); } catch (Error $e) { echo get_class($e), ' ', $e->getMessage(), "\n"; } var_dump($o); self::$s = false; }
}}
(new B)->m();
