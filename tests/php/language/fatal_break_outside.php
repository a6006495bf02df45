<?php
echo "not reached\n";
function f() { break; }
