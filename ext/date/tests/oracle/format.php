<?php
// Prints each date of standard input by every format letter; "@..." in the zone $argv[1].
date_default_timezone_set('UTC');
while (($line = fgets(STDIN)) !== false) {
    $d = new DateTime(rtrim($line, "\n"));
    if (str_contains($line, '@')) $d->setTimezone(new DateTimeZone($argv[1]));
    echo $d->format('d D j l S w N z W o F m M n t L y Y x X a A B g G h H i s u v I p P O T e Z c r U'), "\n";
}
