<?php
// Addresses as text, number and bytes.
foreach (['1.2.3.4', '1.2.3', '::1', '::ffff:1.2.3.4', '256.1.1.1', '01.2.3.4', '', ' 1.2.3.4', '2001:DB8::0:1'] as $ip) {
    var_dump($ip, ip2long($ip), bin2hex((string) @inet_pton($ip)));
}
var_dump(inet_pton('x'));
foreach ([0, -1, 4294967295, 4294967296, 3232235521] as $number) {
    var_dump(long2ip($number));
}
foreach (['7f000001', '00000000000000000000000000000001', '00000000000000000000ffff01020304', '20010db8000000000000000000000001', 'aa'] as $hex) {
    var_dump(inet_ntop(hex2bin($hex)));
}
var_dump(gethostbyname('127.0.0.9'), gethostbyname('localhost'), gethostbyaddr('127.0.0.1'));
var_dump(gethostbyaddr('nothing'), strlen(gethostbyname(str_repeat('x', 300))));
foreach ([
    fn() => dns_check_record(''),
    fn() => checkdnsrr('a.example', 'no type'),
    fn() => dns_get_record('a.example', 3000000000),
    fn() => dns_get_record('a.example', 0, $servers, $others, true),
    fn() => getmxrr("a\0b", $hosts),
    fn() => gethostbynamel("a\0b"),
] as $bad) {
    try {
        var_dump($bad());
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
