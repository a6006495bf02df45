<?php
// Without allow_url_include, include runs nothing that a client, a pipe or a URL brings; files and memory stay what they are.

set_include_path('.');
set_error_handler(function (int $level, string $text): bool {
    echo "  $text\n";
    return true;
});

$folder = sys_get_temp_dir() . '/jumbo_include_' . getmypid();
mkdir($folder);
$file = "$folder/code.txt";
file_put_contents($file, '<?cuc rpub "  eha\a"; erghea 5;');
$open = fopen($file, 'r');

$names = [
    'php://input', 'PHP://Input', 'php://stdin', 'php://STDIN', 'php://fd/0', 'php://fd/3', 'PHP://FD/3', 'php://fd/', 'php://fd/x',
    'php://filter/read=string.rot13/resource=php://input',
    'php://filter/read=string.rot13/resource=PHP://StdIn',
    'php://filter/string.rot13/resource=php://fd/3',
    'php://filter/string.rot13/resource=php://filter/string.rot13/resource=php://input',
    'php://filter/string.rot13/resource=data:text/plain,<?php echo "run";',
    'data:text/plain,<?php echo "run";',
    'data://text/plain;base64,PD9waHAgZWNobyAicnVuIjs=',
    'php://filter/string.rot13/resource=php://nonsense',
    'php://nonsense', 'php:///input', 'php://filter/string.rot13', 'php://filter/string.rot13resource=x',
    'php://memory', 'php://temp', 'php://temp/maxmemory:12',
    "php://filter/read=string.rot13/resource=$file",
    "PHP://FILTER/string.rot13/resource=$file",
];
foreach ($names as $name) {
    $shown = str_replace($folder, 'FOLDER', $name);
    ob_start(fn (string $text): string => str_replace($folder, 'FOLDER', $text));
    echo "$shown\n";
    try {
        echo '  ', var_export(include $name, true), "\n";
        echo '  ', var_export(require $name, true), "\n";
    } catch (Error $error) {
        echo '  ', get_class($error), ': ', $error->getMessage(), "\n";
    }
    ob_end_flush();
}

// Reading them as data stays allowed, and `resource=` that comes first is taken for filters too.
var_dump(file_get_contents('php://input'), file_get_contents('php://stdin'), file_get_contents('data:,x'));
chdir($folder);
var_dump(strlen(file_get_contents('php://filter/resource=code.txt')));

fclose($open);
unlink($file);
rmdir($folder);
