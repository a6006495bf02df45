<?php
// A match whose conditions are ints and strings reads a variable that nobody has set once.
function unset_only() {
    return match ($a) { -2 => 2, 5 => 1, default => 5 };
}
var_dump(unset_only());
function assigned_only() {
    $a = match ($a) { 1 => 2, 'x' => 1, default => 5 };
    $b = 1 - match ($b) { 1 => 2, 1 + 1 => 1, default => 5 };
    $c .= match ($c) { 1 => 2, 1.5 => 1, default => 5 };
    return [$a, $b, $c];
}
var_dump(assigned_only());
function when_a() { if (0) $c = 1; return match ($c) {1 => 1, 2 => 2, 3 => 3, 4 => 4, 5 => 5, default => 9}; }
var_dump(when_a());
function when_b() { if (0) $c = 1; return match ($c) {'a' => 1, 'b' => 2, default => 9}; }
var_dump(when_b());
function when_c() { if (0) $c = 1; return match ($c) {'a' => 1, 'b' => 2}; }
try { var_dump(when_c()); } catch (Error $e) { echo $e->getMessage(); }
function when_d() { if (0) $c = 1; return match ($c) {1 => 1, 2 => 2, default => 9}; }
var_dump(when_d());
function when_e() { if (0) $c = 1; return match ($c) {1 => 1, 'x' => 2, 3, 4 => 4}; }
try { when_e(); } catch (Error $e) { echo $e->getMessage(), $e->getLine(), "\n"; }
function when_e2() { if (0) $c = 1; return match ($c) {
  1 => 1,
  'x' => 2, 3, 4 => 4}; }
try { when_e2(); } catch (Error $e) { echo $e->getMessage(), $e->getLine(), "\n"; }
function when_e3() { if (0) $c = 1; return match (
  $c
  ) {
  1 => 1,
  1.5 => 2, null => 4}; }
try { var_dump(when_e3()); } catch (Error $e) { echo $e->getMessage(), $e->getLine(), "\n"; }
function when_e4() { return match (
  $c
  ) {
  1 => 1,
  2 => 2}; }
try { var_dump(when_e4()); } catch (Error $e) { echo $e->getMessage(), $e->getLine(), "\n"; }
function when_e5() { for ($i = 0; $i < 3; $i++) { echo match ($c) { 1 => 1, 2 => 2, default => 'd' }; if ($i == 1) $c = 2; $r = &$c; } }
when_e5();
