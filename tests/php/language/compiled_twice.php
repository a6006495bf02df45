<?php
// The arguments of "frameless" functions are compiled twice in a namespace, with all that is said of them.
namespace N;
function never() {
if (is_numeric(function () { switch (1) { case 5: continue; } })) { }
is_numeric(fn(int $x = null) => is_numeric(fn(int $y = null) => 1));
\is_numeric(fn(int $x = null) => 1);
min(fn(int $x = null) => 1);
min(fn(int $x = null) => 1, 1);
min(value: fn(int $x = null) => 1, values: 1);
min(...[1, 2], ...[fn(int $x = null) => 1]);
trim(fn(int $x = null) => 1, 1, 2);
strlen(fn(int $x = null) => 1);
}
echo "done\n";
