<?php
// Without opcache.enable_cli the functions are there, and have nothing to tell.

var_dump(extension_loaded('Zend OPcache'), get_loaded_extensions(true));
foreach (get_extension_funcs('zend opcache') as $function) {
    $reflection = new ReflectionFunction($function);
    $parameters = array_map(strval(...), $reflection->getParameters());
    echo $function, ': ', $reflection->getReturnType(), ' ', implode(', ', $parameters), "\n";
}
var_dump(opcache_get_status(), opcache_get_status(false), opcache_reset());
var_dump(opcache_invalidate(__FILE__, true), opcache_invalidate('/none'), opcache_is_script_cached(__FILE__));
var_dump(opcache_compile_file(__FILE__), opcache_compile_file('/none'));
opcache_jit_blacklist(fn() => 1);

$configuration = opcache_get_configuration();
unset($configuration['version']['version']);
foreach (ini_get_all('zend opcache') as $name => $setting) {
    echo $name, ' ', json_encode($setting), ' ', var_export($configuration['directives'][$name], true), "\n";
}
echo implode("\n", array_keys($configuration['directives'])), "\n";
unset($configuration['directives']);
var_dump($configuration);

var_dump(ini_set('opcache.enable', '1'), ini_set('opcache.memory_consumption', '64'));
var_dump(ini_set('opcache.enable', '0'), ini_get('opcache.enable'), ini_set('opcache.enable', '1'));
