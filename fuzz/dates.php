<?php
// The first byte of the input says what the rest is; a second field stands behind the first line feed.
[$first, $second] = explode("\n", substr($input, 1), 2) + ['', ''];
$base = new DateTimeImmutable('2024-02-29 12:34:56.789', new DateTimeZone('Europe/Amsterdam'));

function show(DateTimeInterface $date): void
{
    $date->format('D, d M Y H:i:s.u e P I L N o W z B c r U');
    $date->getTimestamp();
    $date->getOffset();
    serialize(unserialize(serialize($date)));
}

function steps(DatePeriod $period): void
{
    $left = 20;
    foreach ($period as $date) {
        show($date);
        if (--$left == 0) {
            break;
        }
    }
    var_export($period, true);
}

try {
    switch ($input[0] ?? '') {
        case 's':
            @strtotime($first, 1e9);
            date_parse($first);
            show(new DateTime($first));
            break;
        case 'm':
            $date = @$base->modify($first);
            if ($date) {
                show($date);
                show(@$date->modify($second) ?: $date);
            }
            break;
        case 'f':
            $date = DateTime::createFromFormat($first, $second);
            DateTime::getLastErrors();
            date_parse_from_format($first, $second);
            if ($date) {
                show($date);
            }
            break;
        case 'F':
            $base->format($first);
            gmdate($first, (int) $second);
            idate($first[0] ?? 'y', (int) $second);
            @strftime($first, (int) $second);
            break;
        case 'i':
            $interval = new DateInterval($first);
            $interval->format($second);
            show($base->add($interval));
            show($base->sub($interval));
            serialize(unserialize(serialize($interval)));
            break;
        case 'I':
            $interval = @DateInterval::createFromDateString($first);
            if ($interval) {
                $interval->format('%y %m %d %h %i %s %f %a %R %r %%');
                show(@$base->add($interval));
                show(@$base->sub($interval));
            }
            break;
        case 'p':
            steps(DatePeriod::createFromISO8601String($first));
            break;
        case 'P':
            steps(new DatePeriod($base, new DateInterval($first), (int) $second % 100));
            steps(new DatePeriod($base, new DateInterval($first), new DateTime($second), DatePeriod::EXCLUDE_START_DATE));
            break;
        case 'z':
            $zone = new DateTimeZone($first);
            show(new DateTime($second, $zone));
            $zone->getTransitions(0, 1 << 31);
            $zone->getLocation();
            timezone_name_from_abbr($first, (int) $second);
            break;
        case 'd':
            $one = new DateTimeImmutable($first, new DateTimeZone('America/New_York'));
            $other = new DateTimeImmutable($second, new DateTimeZone('Australia/Lord_Howe'));
            $interval = $one->diff($other);
            $interval->format('%y %m %d %h %i %s %f %a %R');
            show($one->add($interval));
            show($other->sub($interval));
            $one <=> $other;
            break;
        case 'n':
            $numbers = array_values(unpack('q*', $first . "\n" . $second . str_repeat("\0", 32)));
            [$a, $b, $c, $d] = $numbers;
            show($base->setDate($a, $b, $c)->setTime($d, $a, $b, $c));
            show($base->setISODate($b, $c, $d));
            show($base->setTimestamp($d));
            mktime($a, $b, $c, $d);
            checkdate($a, $b, $c);
            date_sun_info($a, $b / 1e16, $c / 1e16);
            @date_sunrise($a, SUNFUNCS_RET_STRING, $b / 1e16, $c / 1e16);
            break;
        case 'u':
            $value = @unserialize($first . "\n" . $second);
            if ($value instanceof DateTimeInterface) {
                show($value);
            } elseif ($value instanceof DateInterval) {
                show($base->add($value));
            } elseif ($value instanceof DatePeriod) {
                steps($value);
            }
            var_export($value, true);
    }
} catch (Throwable) {
}
