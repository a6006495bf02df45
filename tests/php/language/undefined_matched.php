<?php
// A match with literal arms reads its subject once.
function t($f) { try { $f(); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
t(function () { $h <<= match ($h) {-1 => 1, 3 => 0}; });
t(function () { $x = match ($h) {-1 => 1, 3 => 0}; });
t(function () { $h = match ($h) {-1 => 1, 3 => 0}; });
t(function () { $h; $h = match ($h) {-1 => 1, 3 => 0}; });
t(function () { $b = $h; $h = match ($h) {-1 => 1, 3 => 0}; });
t(function () { $b = $h; $h = match ($h) {-1 => 1, 3 => 0, 4 => 1, 5 => 1, 6 => 1, 7 => 1}; });
t(function () { $b = $h; $h = match ($h) {'a' => 1, 'b' => 0}; });
t(function () { $b = $h; $h = match ($h) {'a' => 1, 3 => 0}; });
t(function () { $b = $h; switch ($h) { case 1: echo 1; case 2: echo 2; } });
t(function () { $b = $h; switch ($h) { case 1: echo 1; case 2: echo 2; case 3: echo 3; case 4: case 5: case 6: echo 5; } });
t(function () { switch ($h) { case 1: echo 1; case 2: echo 2; } });
t(function () { $b = $h; switch ($h) { case 'a': echo 1; case 'b': echo 2; } });
