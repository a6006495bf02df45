<?php
// Prints everything that a request could find changed by a former one. What differs between any two requests (times, ports, random
// numbers, memory in use) is left out.
function show(string $name, mixed $value): void {
    echo $name, ': ', json_encode($value, JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
function counter() { static $n = 0; return ++$n; }
class Counter { public static int $n = 0; public $self; static function next() { static $m = 0; return ++$m + ++self::$n; } }
enum Suit { case Hearts; const X = [self::Hearts]; }

foreach (ini_get_all(null, true) as $name => $setting) show("ini $name", [$setting['global_value'], $setting['local_value']]);
show('numbers', [counter(), Counter::next(), spl_object_id(new stdClass), (int) fopen('php://memory', 'r')]);
show('globals', array_keys($GLOBALS));
foreach (['_GET', '_POST', '_COOKIE', '_FILES', '_ENV'] as $name) show($name, $GLOBALS[$name] ?? null);
show('server', array_diff_key($_SERVER, array_flip(['REQUEST_TIME', 'REQUEST_TIME_FLOAT', 'REMOTE_PORT', 'UNIQUE_ID'])));
show('functions', get_defined_functions()['user']);
show('classes', array_diff(get_declared_classes(), ['Counter', 'Suit']));
show('interfaces', get_declared_interfaces());
show('traits', get_declared_traits());
show('constants', get_defined_constants(true)['user'] ?? []);
show('included', get_included_files());
show('autoloaders', spl_autoload_functions());
show('error_reporting', error_reporting());
show('errors', [error_get_last(), json_last_error(), preg_last_error(), set_error_handler(null), set_exception_handler(null)]);
show('output', [ob_get_level(), ob_get_status(true), ob_list_handlers(), output_reset_rewrite_vars()]);
show('headers', [headers_list(), http_response_code(), headers_sent(), header_register_callback(fn() => 0)]);
show('connection', [ignore_user_abort(), connection_status(), connection_aborted()]);
show('folder', [getcwd(), sprintf('%o', umask()), sys_get_temp_dir()]);
show('environment', getenv());
show('locale', array_map(fn($c) => setlocale($c, '0'), [LC_ALL, LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES]));
show('localeconv', localeconv());
show('time zone', [date_default_timezone_get(), (new DateTime('@0'))->getTimezone()->getName(), date('e')]);
show('collector', [gc_enabled(), gc_status()['runs'], gc_status()['collected'], gc_status()['threshold']]);
show('streams', [stream_get_wrappers(), stream_get_filters(), stream_context_get_options(stream_context_get_default()), stream_get_transports()]);
show('resources', array_map('get_resource_type', get_resources()));
show('multibyte', [mb_internal_encoding(), mb_http_output(), mb_http_input('I'), mb_language(), mb_substitute_character(), mb_detect_order(), mb_regex_encoding(), mb_regex_set_options()]);
show('iconv', iconv_get_encoding('all'));
show('bc', bcscale());
show('session', [session_status(), session_name(), session_id(), session_save_path(), session_module_name(), session_get_cookie_params(), session_cache_limiter(), session_cache_expire(), isset($_SESSION)]);
show('assertions', [@assert_options(ASSERT_ACTIVE), @assert_options(ASSERT_EXCEPTION), @assert_options(ASSERT_CALLBACK)]);
show('openssl', openssl_error_string());
show('posix', [posix_get_last_error(), posix_getcwd(), posix_umask_is_there()]);
show('tokens', [@strtok('x')]);
show('sockets', [file_exists('/nowhere'), realpath_cache_size() >= 0]);
show('memory', [ini_get('memory_limit'), memory_get_peak_usage() < 3 << 20]);
show('limits', [ini_get('max_execution_time')]);
show('enum', [Suit::X[0] === Suit::Hearts]);
show('assert', zend_version());
show('fiber', [Fiber::getCurrent()]);
show('backtrace', debug_backtrace());
show('stat', @filemtime(__DIR__ . '/touched'));
show('pdo', class_exists('PDO') ? PDO::getAvailableDrivers() : []);
show('sqlite', SQLite3::version()['versionNumber'] > 0);
function posix_umask_is_there() { return function_exists('umask'); }
