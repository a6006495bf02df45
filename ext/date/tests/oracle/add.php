<?php
// Prints DateTime::add() of each line DATE<tab>SPECIFICATION.
date_default_timezone_set('UTC');
while (($line = fgets(STDIN)) !== false) {
    [$a, $b] = explode("\t", rtrim($line, "\n"), 2);
    echo (new DateTime($a))->add(new DateInterval($b))->format('c U u'), "\n";
}
