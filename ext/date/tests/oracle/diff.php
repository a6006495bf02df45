<?php
// Prints DateTime::diff() of each line DATE<tab>DATE.
date_default_timezone_set('UTC');
while (($line = fgets(STDIN)) !== false) {
    [$a, $b] = explode("\t", rtrim($line, "\n"), 2);
    echo (new DateTime($a))->diff(new DateTime($b))->format('%R %y %m %d %h %i %s %f %a'), "\n";
}
