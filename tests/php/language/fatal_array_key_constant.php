<?php
echo "not run\n";
var_dump([2 => null, [] => null]);
