//! The first inputs of each fuzz target: one of each kind that the parser knows.

/// The seeds of a target; `source` takes its own from the programs in tests/php.
pub fn of(target: &str) -> Vec<Vec<u8>> {
    let list = match target {
        "packets" => return conversations(),
        "data" => return DATA.iter().map(|text| text.as_bytes().to_vec()).collect(),
        "dates" => DATES,
        "sessions" => SESSIONS,
        "compressed" => COMPRESSED,
        "bodies" => BODIES,
        _ => &[],
    };
    list.iter().map(|bytes| bytes.to_vec()).collect()
}

/// Seeds of `data`: the first byte says what the rest is (fuzz/data.php).
const DATA: &[&str] = &[
    "ui:-5;",
    "ud:0.1;",
    "ud:-INF;",
    "ub:1;",
    "uN;",
    "us:5:\"a\"b\u{e9};\";",
    "uS:4:\"a\\62c\";",
    "ua:2:{i:0;s:1:\"x\";s:1:\"k\";a:0:{}}",
    "ua:2:{i:0;a:0:{}i:1;R:2;}",
    "ua:3:{i:0;O:3:\"Any\":1:{s:1:\"a\";i:1;}i:1;r:2;i:2;R:2;}",
    "uO:3:\"Any\":5:{s:1:\"a\";N;s:4:\"\0*\0b\";i:1;s:6:\"\0Any\0c\";a:0:{}s:5:\"typed\";r:1;s:6:\"number\";i:7;}",
    "uO:5:\"Hooks\":2:{i:0;i:1;s:1:\"x\";R:1;}",
    "uO:7:\"Sleeper\":1:{s:4:\"kept\";s:1:\"v\";}",
    "uC:3:\"Old\":4:{i:1;}",
    "uE:11:\"Suit:Hearts\";",
    "uO:8:\"stdClass\":1:{s:1:\"p\";O:8:\"stdClass\":0:{}}",
    "uO:11:\"ArrayObject\":4:{i:0;i:0;i:1;a:1:{i:0;i:1;}i:2;a:0:{}i:3;N;}",
    "uO:16:\"SplObjectStorage\":2:{i:0;a:2:{i:0;O:8:\"stdClass\":0:{}i:1;N;}i:1;a:0:{}}",
    "uO:13:\"SplFixedArray\":1:{i:0;i:1;}",
    "uO:9:\"Exception\":1:{s:10:\"\0*\0message\";s:1:\"m\";}",
    "uO:8:\"DateTime\":3:{s:4:\"date\";s:26:\"2024-01-01 00:00:00.000000\";s:13:\"timezone_type\";i:3;s:8:\"timezone\";s:3:\"UTC\";}",
    "uO:13:\"ArrayIterator\":4:{i:0;i:1;i:1;O:8:\"stdClass\":1:{s:1:\"p\";i:1;}i:2;a:1:{s:1:\"q\";R:1;}i:3;N;}",
    "uO:19:\"SplDoublyLinkedList\":3:{i:0;i:4;i:1;a:2:{i:0;r:1;i:1;i:2;}i:2;a:0:{}}",
    "aO:3:\"Any\":0:{}",
    "aO:5:\"Hooks\":0:{}",
    "j{\"a\":[1,2.5e3,true,false,null,\"\\u00e9\\ud83d\\ude00\\n\"],\"\":{}}",
    "j[[[[]]],-0,1E-7,123456789012345678901234567890]",
    "J{\"k\":\"\u{e9}\",\"n\":9223372036854775808}",
    "v{\"a\":1}",
];

/// Seeds of `dates`: the first byte says what the rest is, a line feed separates its two parts (fuzz/dates.php).
const DATES: &[&[u8]] = &[
    b"stomorrow noon",
    b"slast monday of february 2012 + 2 weeks 3 days ago",
    b"s2008-06-31T25:61:61.123456+05:30",
    b"s@-1234567890.25",
    b"s1 Jan 70 00:00 Europe/Berlin",
    b"s20080701t22:38:07",
    b"s2008W273",
    b"s2008.197",
    b"sfirst day of next month midnight",
    b"s10/Oct/2000:13:55:36 -0700",
    b"sback of 7pm",
    b"sFri, 13 Feb 2009 23:31:30 GMT (GMT)",
    b"s-0002-07-01",
    b"s+9999999999999999999 sec",
    b"s12.12.2012 12.12.12,5",
    b"syesterday 04:00 EST5EDT",
    b"mlast sat of July 2008 noon\n+7 weekdays",
    b"m-9223372036854775808 days\nmonday this week",
    b"m5 weekdays ago\nThursday 14:00",
    b"fY-m-d\x5cTH:i:s.vP\n2024-02-30T23:59:60.999+14:00",
    b"f!D, d M y|\nThu, 30 Feb 24",
    b"fU.u e+\n-1.5 UTC rest",
    b"fz Y G:i A\n366 2023 13:00 am",
    b"f?*#;:/.,-()\nxabc.;:/.,-()",
    b"fL l jS F\nx Monday 3rd March",
    b"FD, d M Y N jS z t L o W y B G g h H i s u v e I O P p T U c r x X\n-62167219200",
    b"FY\x5cY\n9223372036854775807",
    b"iP1Y2M10DT2H30M\n%R%a %H:%I:%S.%F %%",
    b"iP0001-00-04T05:06:07\n%y",
    b"iP99999999999W\n%d",
    b"I3 weekdays + 1 fortnight 2 sat",
    b"I-1 year 2 months 3.5 sec ago",
    b"IP1D",
    b"pR5/2008-03-01T13:00:00Z/P1Y2M10DT2H30M",
    b"pR0/20080301T130000Z/P1W",
    b"PP1D\n5",
    b"PPT36H\n2024-03-05",
    b"PP0D\n9",
    b"zEurope/Amsterdam\n2024-03-31 02:30",
    b"z+14:59\nnow",
    b"zEST\n1970-01-01",
    b"z-99:99\n@0",
    b"d2024-03-10 02:30\n2024-11-03 01:30 EST",
    b"d0001-01-01\n9999-12-31T23:59:59.999999",
    b"d-9999-01-01\n@9223372036854775807",
    b"uO:8:\"DateTime\":3:{s:4:\"date\";s:26:\"2024-01-01 00:00:00.000000\";s:13:\"timezone_type\";i:3;s:8:\"timezone\";s:3:\"UTC\";}",
    b"uO:17:\"DateTimeImmutable\":3:{s:4:\"date\";s:26:\"2024-01-01 00:00:00.000000\";s:13:\"timezone_type\";i:1;s:8:\"timezone\";s:6:\"+25:00\";}",
    b"uO:12:\"DateTimeZone\":2:{s:13:\"timezone_type\";i:2;s:8:\"timezone\";s:4:\"CEST\";}",
    b"uO:12:\"DateInterval\":10:{s:1:\"y\";i:1;s:1:\"m\";i:2;s:1:\"d\";i:3;s:1:\"h\";i:4;s:1:\"i\";i:5;s:1:\"s\";i:6;s:1:\"f\";d:0.5;s:6:\"invert\";i:1;s:4:\"days\";b:0;s:11:\"from_string\";b:0;}",
    b"uO:12:\"DateInterval\":2:{s:11:\"from_string\";b:1;s:11:\"date_string\";s:11:\"next monday\";}",
    b"uO:10:\"DatePeriod\":8:{s:5:\"start\";O:17:\"DateTimeImmutable\":3:{s:4:\"date\";s:26:\"2024-01-01 00:00:00.000000\";s:13:\"timezone_type\";i:3;s:8:\"timezone\";s:3:\"UTC\";}s:7:\"current\";N;s:3:\"end\";N;s:8:\"interval\";O:12:\"DateInterval\":10:{s:1:\"y\";i:0;s:1:\"m\";i:0;s:1:\"d\";i:3;s:1:\"h\";i:4;s:1:\"i\";i:5;s:1:\"s\";i:6;s:1:\"f\";d:0.5;s:6:\"invert\";i:0;s:4:\"days\";b:0;s:11:\"from_string\";b:0;}s:11:\"recurrences\";i:5;s:18:\"include_start_date\";b:1;s:16:\"include_end_date\";b:0;}",
    b"n\x01\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f\x1f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80",
];

/// Seeds of `sessions`: the format, then the data (fuzz/sessions.php).
const SESSIONS: &[&[u8]] = &[
    b"pa|i:1;b|s:1:\"x\";",
    b"p!gone|a|a:1:{s:1:\"k\";R:1;}",
    b"pa|O:3:\"Any\":1:{s:6:\"number\";i:3;}b|r:1;",
    b"p|N;",
    b"pa|i:1",
    b"pa b.c[d|a:0:{}",
    b"b\x01ai:1;\x02bcs:1:\"x\";",
    b"b\x81ab\x7fx",
    b"sa:2:{s:1:\"a\";i:1;s:1:\"b\";R:2;}",
    b"sa:1:{i:5;N;}",
    b"sO:3:\"Any\":0:{}",
    b"sb:0;",
    b"p_SESSION|a:0:{}GLOBALS|i:1;",
];

/// Seeds of `compressed`: what to do, a number, and streams of each kind (fuzz/compressed.php).
const COMPRESSED: &[&[u8]] = &[
    b"i \xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01",
    b"i@\xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01",
    b"i\x01\x01\x00\x00\xff\xff",
    b"i\x10\x01\xf4\x01\x0b\xfeOf one text, and of one text again, and of one text once more. Of one text,",
    b"z x\x9c\xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01\xc6\xc7\xaa\x9c",
    b"z\xffx\xda\xed\xc1\x01\x01\x00\x00\x00\x82 \xff\xafnH@\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
    b"g \x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01\x14\xbd*\x84\xf4\x01\x00\x00",
    b"g\x08\x1f\x8b\x08\x1c\x00\x00\x00\x00\x00\x03\x03\x00ab\x00name\x00comment\x00\xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01\x14\xbd*\x84\xf4\x01\x00\x00",
    b"g\x08\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01\x14\xbd*\x84\xf4\x01\x00\x00\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03+NM\xce\xcfK\x01\x00i\x11\x1f\xb6\x06\x00\x00\x00",
    b"d\x00\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01\x14\xbd*\x84\xf4\x01\x00\x00",
    b"d\x00x\x9c\xab\x00\x00\x00y\x00y",
    b"p\x09\xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01",
    b"p\x0a\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01\x14\xbd*\x84\xf4\x01\x00\x00",
    b"p\x0bx\x9c\xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01\xc6\xc7\xaa\x9c",
    b"o*x\xf9'w\x05H\xf3OS\xc8\x87\x0a\xe8($\xe6\xa5(\xe4#\x04 *0\x85\xf3\xf3\x92S\x15r\xf3\x8bR\xf5\x14F\xb5\x0fA\xed\x00\xc6\xc7\xaa\x9c",
    b"o+one text\x00again\x00\x00",
    b"r7Of one text, and of one text again, and of one text once more. Of one text, and of one tex",
    b"r\x05",
    b"f \xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01",
    b"f!x\x9c\xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01\xc6\xc7\xaa\x9c",
    b"f#\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01\x14\xbd*\x84\xf4\x01\x00\x00",
    b"-\x03\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xf3OS\xc8\xcfKU(I\xad(\xd1QH\xccKQ\xc8G\x08($\xa6'f\xe6a\x0a\xe7\xe7%\xa7*\xe4\xe6\x17\xa5\xea)\xf8\x8fj\x1fz\xda\x01\x14\xbd*\x84\xf4\x01\x00\x00",
    b"-\x00not compressed\x0aat all\x0a",
];

/// Seeds of `bodies`: a byte of limits, a line with the type, the body (fuzz/lib.rs).
const BODIES: &[&[u8]] = &[
    b"\0application/x-www-form-urlencoded\na=1&b[]=2&b[k][]=%41+%zz&=3&c",
    b"\x01application/x-www-form-urlencoded\na&b&c&d&e[[]=1&.f=2&g h=3",
    b"\x02application/x-www-form-urlencoded\na[b][c][d]=1&x[=2&y]=3",
    b"\0text/plain\nwhatever",
    b"\0multipart/form-data; boundary=x\n--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name=\"b[]\"\r\n\r\ntwo\nlines\r\n--x--\r\n",
    b"0multipart/form-data; boundary=x\n--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"C:\x5c\x5cdir\x5c\x5ca\x5c\"b.txt\"\r\nContent-Type: text/plain\r\n\r\ndata\r\n--x\r\nContent-Disposition: form-data; name=\"f2[k][]\"; filename=\"../../x\"\r\n\r\n\r\n--x--",
    b"\x10multipart/form-data; boundary=x\n--x\r\nContent-Disposition: form-data; name=\"MAX_FILE_SIZE\"\r\n\r\n3\r\n--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"long\"\r\n\r\nmore than three\r\n--x--",
    b"\x18multipart/form-data; boundary=x\n--x\r\nContent-Disposition: form-data; name=a; filename='q'; x=y\r\nX-Other: 1\r\n folded\r\n\r\nyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n--x\r\nContent-Disposition: form-data; filename=\"nameless\"\r\n\r\nz\r\n",
    b" multipart/form-data; boundary=\"a b\"\n--a b\r\nContent-Disposition: form-data; name=\"c\"\r\n\r\n\r\n--a b\r\nno header\r\n\r\nx\r\n--a b--",
    b"\x04multipart/form-data; boundary=x\n--x\r\nContent-Disposition: form-data; name=\"f[[]\"; filename=\"a\"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name=\"g\"; filename=\"b\"\r\n\r\n2\r\n--x\r\nContent-Disposition: form-data; name=\"h\"; filename=\"c\0d\"\r\n\r\n3\r\n",
    b"\0multipart/form-data; boundary=\n--\r\nContent-Disposition: form-data; name=\r\n\r\n\n--",
];

/// Conversations as fuzz/lib.rs reads them: a byte of options, then packets after their length; one without content waits for the client.
fn conversations() -> Vec<Vec<u8>> {
    let greeting = [
        b"\x0a5.5.5-10.11.6-MariaDB\0\x01\0\0\0abcdefgh\0".as_slice(),
        b"\xff\xf7\x2d\x02\0\xff\x81\x15\0\0\0\0\0\0\0\0\0\0ijklmnopqrst\0mysql_native_password\0",
    ]
    .concat();
    let (done, end): (&[u8], &[u8]) = (b"\0\0\0\x02\0\0\0", b"\xfe\0\0\x02\0");
    let more: &[u8] = b"\xfe\0\0\x0a\0";
    let error: &[u8] = b"\xff\x48\x04#HY000No";
    let column = |kind: u8| {
        let head: &[u8] = b"\x03def\0\x01t\x01t\x01a\x01a\x0c\x21\0\xff\0\0\0";
        [head, &[kind], b"\x01\0\0\0\0"].concat()
    };
    let (int, text) = (column(3), column(253));
    let (row, binary_row): (&[u8], &[u8]) = (b"\x0215\x03abc", b"\0\0\x0f\0\0\0\x03abc");
    let prepared: &[u8] = b"\0\x01\0\0\0\x02\0\x01\0\0\0\0";
    let wait: &[u8] = b"";
    let result: Vec<&[u8]> = vec![b"\x02", &int, &text, end, row, b"\xfb\xfb", end];
    let signed_in: Vec<&[u8]> = vec![&greeting, wait, done, wait];
    let mut whole = [signed_in.clone(), result.clone()].concat();
    whole.extend([wait, prepared, &text, end, &int, &text, end, wait, b"\x02", &int, &text, end, binary_row, end]);
    whole.extend([wait, wait, done, wait, b"Uptime: 1", wait, b"\x02", &int, &text, end, row, more, done]);
    let switched: Vec<&[u8]> = vec![&greeting, wait, b"\xfecaching_sha2_password\0abcdefghijklmnopqrst\0", wait, b"\x01\x03", done];
    let refused: Vec<&[u8]> = vec![&greeting, wait, error];
    let file = [signed_in, vec![b"\xfb/etc/passwd", done]].concat();
    let encode = |list: Vec<&[u8]>| list.iter().fold(vec![3], |all, packet| [all.as_slice(), &[packet.len() as u8], packet].concat());
    vec![encode(whole), encode(switched), encode(refused), encode(file), encode(vec![error]), encode(vec![&greeting])]
}
