<?php
function f() {}
echo "not reached\n";
function F() {}
