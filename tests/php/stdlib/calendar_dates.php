<?php
// Days and dates of the four calendars, Easter.
foreach ([1, 1721425, 2299160, 2375840, 2380952, 2440588, 2460000] as $day) {
    echo $day, ': ', jdtogregorian($day), ' ', jdtojulian($day), ' ', jdtojewish($day), ' ', jdtofrench($day), ' ', jddayofweek($day, 1), "\n";
}
foreach ([[1, 1, 1970], [12, 31, -1], [11, 24, -4714], [11, 25, -4714], [2, 29, 2000], [13, 1, 5], [7, 3, 5765], [5, 5, 2147483647]] as [$m, $d, $y]) {
    echo "$m/$d/$y: ", gregoriantojd($m, $d, $y), ' ', juliantojd($m, $d, $y), ' ', jewishtojd($m, $d, $y), ' ', frenchtojd($m, $d, $y), "\n";
}
$sum = 0;
for ($y = 1; $y < 7000; $y += 13) {
    foreach ([1, 2, 3, 6, 7, 13] as $m) {
        $sum = ($sum * 31 + jewishtojd($m, 5, $y)) % 1000003;
    }
}
$text = '';
for ($day = 348000; $day < 4000000; $day += 9973) {
    $text .= jdtojewish($day) . jdtogregorian($day) . jdtojulian($day);
}
echo $sum, ' ', md5($text), "\n";
for ($m = 1; $m <= 13; $m++) {
    echo bin2hex(jdtojewish(jewishtojd($m, 15 + $m, 5765), true, CAL_JEWISH_ADD_GERESHAYIM)), ' ', jdmonthname(jewishtojd($m, 3, 5766), 4), ' ',
        cal_days_in_month(CAL_JEWISH, $m, 5766), "\n";
}
foreach ([1, 1582, 1583, 1752, 1999, 2024, 40000] as $y) {
    echo $y, ': ', implode(' ', array_map(fn($mode) => easter_days($y, $mode), [0, 1, 2, 3])), "\n";
}
print_r(cal_from_jd(2440588, CAL_JEWISH));
echo json_encode(cal_info(CAL_FRENCH)), cal_days_in_month(CAL_FRENCH, 13, 14), ' ', cal_to_jd(CAL_JULIAN, 2, 29, 1900), ' ', unixtojd(86400 * 365), ' ', jdtounix(2450000), "\n";
foreach ([fn() => cal_info(9), fn() => cal_days_in_month(0, 20, 2009), fn() => jdtounix(1), fn() => jdtojewish(1, true), fn() => easter_date(1969), fn() => unixtojd(-1), fn() => jewishtojd(1, 1, PHP_INT_MAX)] as $f) {
    try {
        var_dump($f());
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
