<?php
namespace N;
$b = max(2, function () use ($b) { switch (1) { case 1: { continue; } break; } });
echo strlen("a" . (function () { switch (1) { case 1: continue; } return 1; })());
echo strpos("a", (function ($a = 1, $c) { return 'a'; })(1, 2));
