<?php
// A generator that runs is asked for something by its own code.
foreach ([fn($g) => $g->rewind(), fn($g) => $g->current(), fn($g) => $g->next(), fn($g) => $g->send(1), fn($g) => $g->valid(), fn($g) => $g->key(), fn($g) => $g->throw(new Exception('x')), fn($g) => $g->getReturn(), function($g) { foreach ($g as $x) { echo 'got'; } }, fn($g) => [...$g], fn($g) => iterator_to_array($g)] as $n => $f) {
 foreach ([0, 1, 2] as $yields) {
  $g = (function () use (&$g, $f, $yields) { for ($i = 0; $i < $yields; $i++) yield $i; $f($g); yield 9; })();
  try { echo "$n $yields: "; foreach ($g as $v) echo $v, ' '; } catch (Throwable $e) { echo get_class($e), ' ', $e->getMessage(); } echo "\n";
 }
}
