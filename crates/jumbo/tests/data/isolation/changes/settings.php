<?php
foreach (ini_get_all(null, false) as $name => $value) {
    if ($name === 'memory_limit' || str_starts_with($name, 'session.') || str_contains($name, 'open_basedir')) continue;
    @ini_set($name, is_numeric($value) ? (string) ($value + 1) : ($value === '' || $value === null ? 'x' : "$value.x"));
}
@ini_set('memory_limit', '300M');
set_time_limit(77);
ini_set('precision', 3); ini_set('serialize_precision', 4); error_reporting(E_ERROR); set_include_path('/nowhere'); date_default_timezone_set('Asia/Tokyo');
