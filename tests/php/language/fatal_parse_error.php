<?php
echo "not reached\n";
$a = [1, 2;
