<?php
echo "not reached\n";
while (1) { foreach ([] as $x) { continue 3; } }
