<?php
// Which of several wrong arguments is complained about, and how: the library's own checks, in PHP's order.
set_error_handler(function ($n, $m) { echo "[$n: $m] "; return true; });
class Text { function __toString() { return 'text'; } }
function t(callable $f) {
    try { var_dump($f()); } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
}

echo "-- resources first\n";
t(fn() => fgets('abc', 'x'));
t(fn() => fseek(null, 256, 2.5));
t(fn() => fwrite([1], new stdClass));
t(fn() => flock(1, 'x'));
t(fn() => fgetcsv('abc', 1, 'long'));
t(fn() => ftruncate(5, []));
t(fn() => gzread(-256, 2.5));

echo "-- strtr\n";
t(fn() => strtr('abc', 'b', null));
t(fn() => strtr('abc', null, 'b'));
t(fn() => strtr('abc', null));
t(fn() => strtr('abc', 'b'));
t(fn() => strtr('abc', 'x', []));
t(fn() => strtr('abc', new stdClass, 'x'));
t(fn() => strtr('abc', new Text, 'x'));
t(fn() => strtr('abc', STDIN, 'x'));
t(fn() => strtr('abcb', ['b' => [], 'zz' => []]));
t(fn() => strtr('x', ['b' => [], 'c' => []]));
t(fn() => strtr('x', ['b' => []]));
t(fn() => strtr('xx', ['b' => [], '' => '1']));

echo "-- count\n";
t(fn() => count(new stdClass, 5));
t(fn() => sizeof(null, null));
t(fn() => sizeof('x'));
t(fn() => sizeof(new ArrayObject([1, 2]), 1));

echo "-- sets\n";
t(fn() => array_udiff(5));
t(fn() => array_udiff(5, 2, 'nosuch'));
t(fn() => array_udiff(5, 2, 'strcmp'));
t(fn() => array_udiff([2, 1], 5, function ($a, $b) { echo 'c'; return $a <=> $b; }));
t(fn() => array_uintersect([3, 1], [5, 2], 5, function ($a, $b) { echo 'c'; return $a <=> $b; }));
t(fn() => array_udiff_uassoc([], 'strlen'));
t(fn() => array_udiff_uassoc(5, 'nosuch', 'strlen'));
t(fn() => array_intersect_ukey([], 5, 'strlen'));
t(fn() => array_diff([[1]]));
t(fn() => array_diff([[1]], [1], [1]));
t(fn() => array_diff([[1]], [2], 5));
t(fn() => array_intersect([[1, 2], [3]], [1], 1));
t(fn() => array_intersect([1], 2, [[1]]));
t(fn() => unpack('h2147483648', 'abc'));
t(fn() => unpack('9223372036854775808', 'abc'));
t(fn() => unpack('c3000000000', 'abc'));
t(fn() => array_diff([[1]], ['Array', [1]], [[1]]));
t(fn() => array_diff([[1], [2]], [[1]], 5));

echo "-- formats\n";
foreach (['%', 'abc%5', "%'", '%l', '%z', '%1$', '%-', '%%%', '%*d', '%d %*d', '%d %'] as $format) {
    t(fn() => sprintf($format));
    t(fn() => sprintf($format, 7));
}
t(fn() => vsprintf('%', []));

echo "-- others\n";
t(fn() => pow(false, 'a'));
t(fn() => pow([], true));
t(fn() => constant('\\'));
t(fn() => constant('\\A\\foo'));
t(fn() => metaphone("Th\0omas"));
t(fn() => metaphone("x\0y"));
t(fn() => http_build_query(['a', 'b'], 'x y['));
t(fn() => http_build_query([[1], 'a b' => [2]], 'é ', '&', 2));
t(fn() => range(1e20, -3));
t(fn() => range(10 ** 18, 1));
t(fn() => range(3, '1x', 0.0));
t(fn() => substr_replace([1], '', [(object) ['a' => 1]]));
t(fn() => preg_match_all('/a+/', '', $m, 1, 3));
var_dump($m ?? null);
t(fn() => parse_ini_string('a=1', false, PHP_INT_MIN));

echo "-- bcmath\n";
t(fn() => bcadd("1.5\0a", '1', 2));
t(fn() => bcdiv("\0", 'a,b'));
t(fn() => bcdiv('1', "\0"));
t(fn() => bcround('1.5', 2147483648));
t(fn() => bcround('1.5', PHP_INT_MIN));

echo "-- filter\n";
t(fn() => filter_input(-2, 'a', -1));
t(fn() => filter_input(3, 'a', 7));
t(fn() => filter_input(3, 'a'));
t(fn() => filter_input_array(10, 0));
t(fn() => filter_input_array(1));
t(fn() => filter_var('x', 256));
t(fn() => filter_var('x', 255));
t(fn() => filter_var_array(['a' => '5', 'b' => 'x'], ['a' => 1, 'b' => 257, 'c' => -1]));
t(fn() => filter_var_array(['a' => '5'], 600));

echo "-- mbstring\n";
t(fn() => mb_str_pad('abc', 1, ''));
t(fn() => mb_str_pad('abc', 5, 'x', 9));
t(fn() => mb_strimwidth('abc', 255, -256));
t(fn() => mb_strimwidth('abc', 0, -1));
t(fn() => mb_encode_mimeheader('abc', null, null));
t(fn() => mb_encode_mimeheader('abc', 'UTF-8', null));
t(fn() => mb_encode_mimeheader('abc', 'UTF-8'));
t(fn() => mb_substr_count('a', '', 'nosuch'));
t(fn() => mb_lcfirst('1', 'UTF-16LE'));
t(fn() => mb_ereg_search('a', '12'));
t(fn() => mb_get_info('http_output_conv_mimetypes'));
$texts = array_fill(0, 500, '<blah>');
t(function () use (&$texts) { return mb_convert_variables('ASCII', ['UTF-8', 'UTF-16'], $texts); });
