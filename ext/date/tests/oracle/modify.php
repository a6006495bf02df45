<?php
// Prints DateTime::modify() of each line DATE<tab>MODIFIER.
date_default_timezone_set('UTC');
while (($line = fgets(STDIN)) !== false) {
    [$a, $b] = explode("\t", rtrim($line, "\n"), 2);
    try {
        echo (new DateTime($a))->modify($b)->format('c U u'), "\n";
    } catch (DateMalformedStringException) {
        echo "false\n";
    }
}
