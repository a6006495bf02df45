<?php
// A page as phpinfo() makes it, of facts that are the same on every engine: tables, escaping, formatting, sorting.
function table(string $title, array $rows): string
{
    $out = "<h2>" . htmlspecialchars($title) . "</h2>\n<table>\n";
    foreach ($rows as $name => $value) {
        if (is_bool($value)) {
            $value = $value ? 'true' : 'false';
        } elseif (is_array($value)) {
            $value = implode(', ', $value);
        } elseif (is_float($value)) {
            $value = number_format($value, 4);
        }
        $out .= sprintf("<tr><td class=\"e\">%s</td><td class=\"v\">%s</td></tr>\n", htmlspecialchars((string) $name), nl2br(htmlspecialchars((string) $value)));
    }
    return $out . "</table>\n";
}

$functions = array_filter(get_defined_functions()['internal'], fn ($name) => str_starts_with($name, 'array_') || str_starts_with($name, 'str'));
sort($functions);
$known = array_slice(array_values(array_filter($functions, fn ($name) => strlen($name) < 14)), 0, 60);
$server = [];
foreach (['REQUEST_METHOD', 'SCRIPT_NAME', 'QUERY_STRING', 'SERVER_PROTOCOL', 'REQUEST_URI', 'HTTP_HOST', 'HTTP_USER_AGENT'] as $name) {
    $server[$name] = $_SERVER[$name] ?? '(none)';
}
$settings = [];
foreach (['memory_limit', 'max_execution_time', 'date.timezone', 'output_buffering', 'display_errors', 'precision', 'variables_order'] as $name) {
    $settings[$name] = ini_get($name);
}
$constants = ['M_PI' => M_PI, 'PHP_INT_MAX' => PHP_INT_MAX, 'PHP_FLOAT_EPSILON' => PHP_FLOAT_EPSILON, 'PHP_EOL' => bin2hex(PHP_EOL), 'E_ALL & ~E_NOTICE' => E_ALL & ~E_NOTICE];
$calendar = [];
for ($day = 0; $day < 40; $day++) {
    $calendar[date('D, d M Y', 86400 * 365 * 55 + 86400 * $day)] = date('z \d\a\y, W \w\e\e\k', 86400 * 365 * 55 + 86400 * $day);
}
$hashes = [];
foreach ($known as $name) {
    $hashes[$name] = [md5($name), crc32($name), ucwords(str_replace('_', ' ', $name)), strrev($name)];
}
ksort($hashes);

echo "<!DOCTYPE html>\n<html><head><title>info &amp; facts</title></head><body>\n<h1>PHP ", PHP_MAJOR_VERSION, '.', PHP_MINOR_VERSION, "</h1>\n";
echo table('Request', $server), table('Settings', $settings), table('Constants', $constants), table('Days', $calendar), table('Functions', $hashes);
echo "<p>", count($hashes), " functions, ", strlen(serialize($hashes)), " bytes, ", json_encode(array_sum(array_map('strlen', $known))), "</p>\n</body></html>\n";
