<?php
// Iterations over Traversables have numbers of objects; builtins that iterate do not start a generator before theirs is taken.
function ids() { return implode(',', array_map('spl_object_id', [new stdClass, new stdClass, new stdClass])) . "\n"; }
function g() { echo 'in ', ids(); yield 1; }
iterator_to_array(g());
echo iterator_count(g()), "\n";
foreach (new IteratorIterator(g()) as $_);
$it = new IteratorIterator(g());
echo "not started\n";
$it->rewind();
unset($it);
$e = g();
foreach ($e as $_);
try { foreach ($e as $_); } catch (Exception $t) { echo spl_object_id($t), ' ', ids(); }
