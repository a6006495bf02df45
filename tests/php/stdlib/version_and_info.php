<?php
// version_compare, phpversion-like functions, constants, extension_loaded, ini_get.
require __DIR__ . '/inc/show.php';
foreach ([['5.2', '5.10'], ['1.0', '1.0.0'], ['1.0-dev', '1.0'], ['1.0alpha1', '1.0beta1'], ['1.0rc1', '1.0RC2'], ['1.0', '1.0pl1'], ['1.0.0', '1.0.1'], ['', '1'], ['1', ''], ['1.0a', '1.0b'], ['1.0-alpha', '1.0alpha'], ['1.0#1', '1.0'], ['8.4.0', '8.4.0RC1'], ['1_2', '1.2'], ['1.foo', '1.bar'], ['01', '1'], ['1..0', '1.0'], ['1.0p1', '1.0pl1']] as [$a, $b]) show("$a $b", version_compare($a, $b), version_compare($a, $b, '<'), version_compare($a, $b, 'ge'), version_compare($a, $b, '=='), version_compare($a, $b, 'ne'));
each('version_compare', ['1', '2', 'bad'], ['1', '2', null]);
show('version', PHP_MAJOR_VERSION, PHP_MINOR_VERSION, PHP_VERSION_ID >= 80400, PHP_EXTRA_VERSION === '' || true, version_compare(PHP_VERSION, '8.4', '>='), phpversion() === PHP_VERSION, phpversion('nonexistent'), PHP_OS_FAMILY, PHP_INT_SIZE, PHP_INT_MAX, PHP_FLOAT_DIG, PHP_FLOAT_MAX, PHP_FLOAT_MIN, PHP_FLOAT_EPSILON, PHP_EOL, PHP_MAXPATHLEN, DIRECTORY_SEPARATOR, PATH_SEPARATOR, PHP_SAPI, PHP_DEBUG, PHP_ZTS);
each('extension_loaded', ['standard'], ['STANDARD'], ['nope'], ['json'], ['Core']);
show('ini', ini_get('precision'), ini_get('nope.nope'), ini_set('precision', '10'), ini_get('precision'), 1 / 3, ini_restore('precision'), ini_get('precision'), ini_set('nope.nope', 1), ini_get('display_errors'), ini_set('memory_limit', '256M'), ini_get('memory_limit'), ini_parse_quantity('1K'), ini_parse_quantity('2M'), ini_parse_quantity('1G'), ini_parse_quantity('-1'));
each('ini_parse_quantity', ['1x'], ['abc'], ['0x10'], [' 5K '], ['1 G'], [''], ['0b11'], ['1KM']);
show('types', ini_set('precision', 12), ini_set('precision', 14), ini_set('html_errors', false), ini_get('html_errors'), ini_set('html_errors', '0'));
show('get_cfg_var', get_cfg_var('nope'));
show('set_time_limit', set_time_limit(0), ignore_user_abort(), connection_status());
show('memory', memory_get_usage() > 1000, memory_get_peak_usage() >= memory_get_usage(), is_int(memory_get_usage(true)));
show('uname', php_uname('s') === PHP_OS, is_string(php_uname()), sys_get_temp_dir() !== '', is_int(getmypid()), php_sapi_name() === PHP_SAPI, is_string(zend_version()), gc_enabled());
show('env', getenv('NOPE_NOT_SET'), putenv('MY_TEST_VAR=value'), getenv('MY_TEST_VAR'), putenv('MY_TEST_VAR'), getenv('MY_TEST_VAR'), is_array(getenv()));
each('putenv', ['=x'], ['']);
show('microtime', is_float(microtime(true)), preg_match('/^0\.\d+ \d+$/', microtime()), is_int(hrtime(true)), count(hrtime()), time() > 1600000000, is_array(getrusage()));
show('function', function_exists('strlen'), function_exists('Nope'), is_array(get_defined_functions()['internal']), count(get_loaded_extensions()) > 5, in_array('strlen', get_extension_funcs('core') ?: []), defined('PHP_VERSION'), constant('PHP_INT_SIZE'));
each('constant', ['NOPE'], ['PHP_INT_SIZE'], ['ArrayObject::ARRAY_AS_PROPS'], ['Nope::X'], ['ArrayObject::NOPE']);
each('define', ['MYC', 5], ['MYC', 6], ['__FOO__', 1], ['A::B', 1], ['true', 1], ['arr', [1]]);
show('error_reporting', error_reporting(), error_reporting(E_ALL & ~E_NOTICE), error_reporting(E_ALL), E_ALL);
show('highlight', strlen(highlight_string('<?php echo "a"; // c', true)) > 20, php_strip_whitespace(__FILE__) !== '');
show('sys', is_array(sys_getloadavg()), gethostname() !== '', is_string(php_ini_loaded_file() ?: ''), get_include_path() !== '');
each('call_user_func', ['strtoupper', 'x'], ['nope'], [fn(...$a) => $a, 1, 2], [['DateTime', 'createFromFormat'], 'Y', 'x']);
each('call_user_func_array', ['max', [1, 5]], ['str_replace', ['subject' => 'abc', 'search' => 'b', 'replace' => 'x']], ['max', [[]]]);
