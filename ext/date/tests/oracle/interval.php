<?php
// Prints each interval specification of standard input in units.
while (($line = fgets(STDIN)) !== false) {
    try {
        echo (new DateInterval(rtrim($line, "\n")))->format('%y %m %d %h %i %s'), "\n";
    } catch (Exception) {
        echo "false\n";
    }
}
