<?php
function t($f) { try { var_dump($f()); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
t(fn() => (throw new Exception('a')) && function (\Closure &$x = null) {});
t(fn() => (throw new Exception('a')) || function (\Closure &$x = null) {});
t(fn() => (throw new Exception('a')) || f(a: 1, 2));
t(fn() => (throw new Exception('a')) ?? 1);
t(fn() => 1 + (throw new Exception('a')));
foreach (new \ArrayIterator((object) [1, 'a' => 2]) as $h => $a) var_dump($h);
foreach (new \ArrayObject((object) [1, 'a' => 2]) as $h => $a) var_dump($h);
$i = new ArrayIterator((object) [5 => 1]); var_dump($i->key(), $i[5] ?? null, $i['5'] ?? null, isset($i[5]));
class P { public $x = 1; }
foreach (new \ArrayIterator(new ArrayObject([1])) as $h => $a) var_dump($h);
foreach (new \ArrayIterator(new ArrayObject(new P)) as $h => $a) var_dump($h);
var_dump(iterator_to_array(new ArrayIterator((object) [1, 2])));
$c = fn() => 1;
var_dump(\preg_replace_callback_array(['' => $c], 1, 1, $h), $h);
$h = 7;
var_dump(\preg_replace_callback_array(['/1/' => $c, '' => $c], 1, 1, $h), $h);
var_dump(\preg_replace_callback_array(['/1/' => $c, '/x/' => $c], [1, 'x'], 1, $h), $h);
var_dump(\preg_replace_callback_array(['/1/' => $c, '' => $c], [1, 'x'], 1, $h), $h);
var_dump(@\preg_replace_callback('', $c, 'a', 1, $h), $h);
t(fn() => \hash_hkdf('sha1', 1, 9007199254740993));
t(fn() => strlen(\hash_hkdf('sha1', 1, 5100)));
t(fn() => strlen(\hash_hkdf('sha1', 1, 5101)));
