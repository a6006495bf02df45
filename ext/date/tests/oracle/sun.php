<?php
// Prints date_sun_info() of each line TIMESTAMP LATITUDE LONGITUDE.
date_default_timezone_set('UTC');
while (($line = fgets(STDIN)) !== false) {
    [$ts, $latitude, $longitude] = explode(' ', rtrim($line));
    $info = date_sun_info((int) $ts, (float) $latitude, (float) $longitude);
    echo implode(' ', array_map(fn($x) => $x === true ? 'up' : ($x === false ? 'down' : $x), $info)), "\n";
}
