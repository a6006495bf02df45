<?php
// Prints what a date string means from the moment $argv[2] in the zone $argv[1], for each line of standard input.
date_default_timezone_set($argv[1]);
while (($line = fgets(STDIN)) !== false) {
    $line = rtrim($line, "\n");
    $r = date_parse($line);
    if ($r['error_count']) { echo "false\n"; continue; }
    $t = strtotime($line, (int) $argv[2]);
    if ($t === false) { echo "range\n"; continue; }
    echo $t, "\n";
}
