<?php
echo "before\n";
function f() { undefined_one(1); }
f();
