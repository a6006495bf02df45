<?php
// Of an undefined subject `match` tells once where all conditions are literal ints and strings, and for each comparison elsewhere.
echo match ($u1) {-2 => 1, 2 => 1, default => 1};
echo match ($u1) {2 => 1, 'x' => 1, default => 1};
echo match ($u1) {2 => 1, 'x' => 1, 1.5 => 4, default => 1};
echo match ($u1) {2 => 1, 'x' => 1, null => 4, default => 1};
echo match ($u1) {2, 4, 5, 6 => 1, 'x' => 1, null => 4, default => 1};
echo match ($u1) {2, 4, 5, 6 => 1, 'x' => 1,  default => 1};
echo match ($u1) {default => 1};
echo match ($u1) {1 => 1, default => 1};
try { echo match ($u1) {1 => 1, 2 => 3}; } catch (Error $e) { echo $e->getMessage(); }
try { echo match ($u1) {1 => 1}; } catch (Error $e) { echo $e->getMessage(); }
try { echo match ($u1) {}; } catch (Error $e) { echo $e->getMessage(); }
const K = 1;
try { echo match ($u1) {K=> 1}; } catch (Error $e) { echo $e->getMessage(); }
try { echo match ($u1) {K=> 1, 2 => 3}; } catch (Error $e) { echo $e->getMessage(); }
try { echo match ($u1) {PHP_INT_MAX => 1, 2 => 3}; } catch (Error $e) { echo $e->getMessage(); }
try { echo match ($u1) {1+1 => 1, 2 => 3}; } catch (Error $e) { echo $e->getMessage(); }
try { echo match ($u1) {$u2 => 1, 2 => 3}; } catch (Error $e) { echo $e->getMessage(); }
switch ($u1) { case 1: case 2: case 3: echo 5; break; default: echo 6; }
switch ($u1) { case 1: case 2: case 3: case 4: case 5: case 6: case 7: echo 5; break; default: echo 6; }
switch ($u1) { case 'a': case 'b': case 'c':  echo 5; break; default: echo 6; }
switch ($u1) { case 'a':  echo 5; break; default: echo 6; }
switch ($u1) { case 'a':  echo 5; break;  case 'b' : echo 6; break; default: echo 6; }
switch ($u1) { default: echo 6; }
switch ($u1) { }
