<?php
// Property writes whose handler destroys the object or the property.
class O { public $p = 1; public $arr = []; public ?O $in = null; }
set_error_handler(function ($n, $m) { global $o; echo "[$m] "; $o = null; return true; });
$o = new O; try { $o->p = $undef; } catch (Error $e) { echo $e->getMessage(), ' '; } var_dump($o);
try { $o = new O; $o->arr[$undef] = 5; var_dump($o); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $o = new O; $o->p .= $undef; var_dump($o); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $o = new O; $o->nope .= 'x'; var_dump($o); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $o = new O; $o->nope++; var_dump($o); } catch (Error $e) { echo $e->getMessage(), "\n"; }
$o = new O; $o->in = new O; try { $o->in->p = $undef; } catch (Error $e) { echo $e->getMessage(), ' '; } var_dump($o);
try { $o = new O; echo $o->nope . (is_null($o) ? 'gone' : 'there'), "\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $o = new O; $x = [$o->p, $o->nope, $o?->p]; echo json_encode($x), "\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
set_error_handler(function ($n, $m) { global $q; echo "[$m] "; unset($q->arr, $q->p); return true; });
try { $q = new O; $q->arr[$undef] = 'v'; var_dump($q); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $q = new O; $q->p .= $undef; var_dump($q); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $q = new O; $q->arr['x'] .= 'y'; var_dump($q); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $q = new O; $r = &$q->p; $r .= $undef; var_dump($q, $r); } catch (Error $e) { echo $e->getMessage(), "\n"; }
