<?php
// Offsets that ArrayObject and ArrayIterator refuse, by the name of the class; what is unset inside of what is not there.
class AI extends ArrayIterator {} class AO extends ArrayObject {}
foreach ([new AI([1]), new AO([1]), new ArrayObject] as $d) foreach ([new Exception, []] as $k) {
 foreach ([fn() => $d[$k], fn() => isset($d[$k]), fn() => empty($d[$k]), fn() => $d[$k] = 1, fn() => $d[$k][] = 1, fn() => $d->offsetGet($k), fn() => $d->offsetSet($k, 1), fn() => $d->offsetExists($k), fn() => $d->offsetUnset($k), function() use ($d, $k) { unset($d[$k]); }, fn() => $d[$k]++] as $f) try { $f(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
class AA implements ArrayAccess { function offsetExists($o): bool { echo "exists\n"; return true; } function offsetGet($o): mixed { echo "get\n"; return null; } function offsetSet($o, $v): void { } function offsetUnset($o): void { echo "unset\n"; } }
foreach ([new ArrayIterator([1, 2, [5, 6]]), new ArrayObject([1, 2, [5, 6]]), new AI([1, 2, [5, 6]]), new AA, new SplObjectStorage, new SplFixedArray(3)] as $d) {
 foreach (['', 0, 2, 'x', null, new Exception, 1.5] as $k) {
  echo get_class($d), ' ', get_debug_type($k), "\n";
  try { unset($d[$k][1]); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
  try { unset($d[$k]->x); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
 }
}
var_dump(new AI([1]), new AO([1]));
