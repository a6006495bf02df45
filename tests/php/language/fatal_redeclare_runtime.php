<?php
echo "reached\n";
function f() { function g() { return 1; } }
f();
echo g(), "\n";
f();
