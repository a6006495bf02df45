<?php
// date, gmdate, mktime, checkdate, idate, getdate, date_parse on fixed time stamps.
require __DIR__ . '/inc/show.php';
date_default_timezone_set('UTC'); $t = 1709210096; // 2024-02-29 12:34:56
foreach (str_split('dDjlNSwzWFmMntLoyYaABgGhHisuveIOPpTZcrU') as $c) show($c, date($c, $t), date($c, 0), date($c, -1), date($c, 1735689599));
each('date', ['Y-m-d\TH:i:sP', $t], ['\Y\\\\Y jS \o\f F', $t], ['', $t], ['D, d M Y', 1e9], [DATE_ATOM, $t], [DATE_COOKIE, $t], [DATE_RFC822, $t], [DATE_RFC7231, $t], [DATE_RSS, $t], [DATE_RFC3339_EXTENDED, $t], ['l jS', 1704067200], ['S', 1704240000], ['N W o', 1609459200], ['t L', 951782400], ['Y', PHP_INT_MAX], ['Y', 'x']);
each('gmdate', ['H:i', 3600]); date_default_timezone_set('America/New_York');
each('date', ['c T e I Z', $t], ['c T I', 1720000000], ['H:i', 1710054000], ['H:i', 1710053999], ['c', 1730613600], ['c', 1730610000]);
each('mktime', [12, 0, 0, 7, 4, 2024], [2, 30, 0, 3, 10, 2024], [1, 30, 0, 11, 3, 2024], [0, 0, 0, 13, 1, 2023], [0, 0, 0, 1, 0, 2024], [25, 61, 61, 1, 1, 2024], [0, 0, 0, 2, 30, 24], [0, 0, 0, 1, 1, 70], [-1, 0, 0, 1, 1, 2024]); date_default_timezone_set('UTC');
each('gmmktime', [0, 0, 0, 1, 1, 1970], [0, 0, 0, 1, 1, 1969]);
each('checkdate', [2, 29, 2024], [2, 29, 2023], [13, 1, 2024], [4, 31, 2024], [12, 31, 0], [1, 1, 32767]);
each('idate', ['Y', $t], ['z', $t], ['t', $t], ['x', $t], ['yy', $t]);
show('getdate', getdate($t));
show('localtime', localtime($t, true));
show('gettimeofday', array_keys(gettimeofday()));
each('date_parse', ['2024-02-29 12:34:56.789 +02:00'], ['10 September 2000 UTC'], ['not a date'], ['2024-13-45'], ['noon tomorrow'], ['']);
each('date_parse_from_format', ['d/m/Y H:i', '01/02/2024 10:20'], ['Y-m-d', 'x'], ['!d', '5']);
each('date_default_timezone_set', ['Nope/Zone'], ['UTC'], ['']);
show('zone', date_default_timezone_get());
each('timezone_name_from_abbr', ['CET'], ['', 3600, 0], ['', -220, 0], ['EST']);
each('timezone_offset_get', [new DateTimeZone('Europe/Paris'), new DateTime('2024-07-01')]);
show('identifiers', in_array('Europe/Berlin', timezone_identifiers_list()), count(timezone_identifiers_list(DateTimeZone::PER_COUNTRY, 'NZ')));
