<?php
// Prints date_parse() of each line of standard input, one line each, in the form of core::oracle::show_parsed().
date_default_timezone_set('UTC');
while (($line = fgets(STDIN)) !== false) {
    $r = date_parse(rtrim($line, "\n"));
    $o = [];
    foreach (['year', 'month', 'day', 'hour', 'minute', 'second'] as $k) $o[] = $r[$k] === false ? '-' : $r[$k];
    $o[] = $r['fraction'] === false ? '-' : (int) round($r['fraction'] * 1000000);
    if ($r['is_localtime']) {
        $z = 'zone' . $r['zone_type'];
        if ($r['zone_type'] == 1) $z .= ":{$r['zone']}";
        if ($r['zone_type'] == 2) $z .= ":{$r['zone']}:" . (int) $r['is_dst'] . ":{$r['tz_abbr']}";
        if ($r['zone_type'] == 3) $z .= ":{$r['tz_id']}";
        $o[] = $z;
    }
    if (isset($r['relative'])) {
        $l = $r['relative'];
        $o[] = "rel {$l['year']} {$l['month']} {$l['day']} {$l['hour']} {$l['minute']} {$l['second']}";
        if (isset($l['weekday'])) $o[] = "weekday:{$l['weekday']}";
        if (isset($l['weekdays'])) $o[] = "weekdays:{$l['weekdays']}";
        if (isset($l['first_day_of_month'])) $o[] = 'first';
        if (isset($l['last_day_of_month'])) $o[] = 'last';
    }
    foreach (['W' => 'warning', 'E' => 'error'] as $t => $k) {
        if (!$r[$k . '_count']) continue;
        $o[] = $t . $r[$k . '_count'];
        foreach ($r[$k . 's'] as $at => $text) $o[] = "$at:$text;";
    }
    echo implode(' ', $o), "\n";
}
