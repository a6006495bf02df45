<?php
// Prints date_parse_from_format() of each line FORMAT<tab>STRING, in the form of core::oracle::show_parsed().
date_default_timezone_set('UTC');
while (($line = fgets(STDIN)) !== false) {
    [$format, $text] = explode("\t", rtrim($line, "\n"), 2) + ['', ''];
    $r = date_parse_from_format($format, $text);
    $o = [];
    foreach (['year', 'month', 'day', 'hour', 'minute', 'second'] as $k) $o[] = $r[$k] === false ? '-' : $r[$k];
    $o[] = $r['fraction'] === false ? '-' : (int) round($r['fraction'] * 1000000);
    if ($r['is_localtime']) {
        $z = 'zone' . $r['zone_type'];
        if ($r['zone_type'] == 1) $z .= ":{$r['zone']}";
        if ($r['zone_type'] == 2) $z .= ":{$r['zone']}:" . (int) $r['is_dst'] . ":{$r['tz_abbr']}";
        if ($r['zone_type'] == 3) $z .= ":".($r["tz_id"]??"")."";
        $o[] = $z;
    }
    if (isset($r['relative'])) {
        $l = $r['relative'];
        $o[] = "rel {$l['year']} {$l['month']} {$l['day']} {$l['hour']} {$l['minute']} {$l['second']}";
        if (isset($l['weekday'])) $o[] = "weekday:{$l['weekday']}";
    }
    foreach (['W' => 'warning', 'E' => 'error'] as $t => $k) {
        if (!$r[$k . '_count']) continue;
        $o[] = $t . $r[$k . '_count'];
        foreach ($r[$k . 's'] as $at => $text) $o[] = "$at:$text;";
    }
    echo implode(' ', $o), "\n";
}
