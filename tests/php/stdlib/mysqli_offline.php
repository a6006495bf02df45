<?php
// mysqli without a server: what objects say before they are connected, how connecting fails, the report modes.
function show(mixed $value): void
{
    ob_start();
    var_dump($value);
    echo preg_replace('/#\d+/', '#n', ob_get_clean());
}

function attempt(string $title, callable $what): void
{
    echo "-- $title\n";
    try {
        show($what());
    } catch (Throwable $e) {
        echo get_class($e), ' ', $e->getCode(), ': ', $e->getMessage(), $e instanceof mysqli_sql_exception ? ' ' . $e->getSqlState() : '', "\n";
    }
}

$closed = ['127.0.0.1', 'user', 'secret', 'db', 1];
attempt('refused', fn() => new mysqli(...$closed));
var_dump(mysqli_connect_errno(), mysqli_connect_error());
attempt('no such socket', fn() => mysqli_connect('localhost', socket: '/no/such/socket'));
mysqli_report(MYSQLI_REPORT_OFF);
attempt('refused with a warning', fn() => mysqli_connect(...$closed));

$link = mysqli_init();
show($link);
foreach (['errno', 'error', 'affected_rows', 'host_info', 'error_list', 'client_info', 'connect_errno'] as $name) {
    attempt("->$name", fn() => $link->$name);
    attempt("isset $name", fn() => isset($link->$name));
}
foreach (['query' => ['x'], 'prepare' => ['x'], 'stmt_init' => [], 'more_results' => [], 'get_charset' => [], 'options' => [MYSQLI_OPT_CONNECT_TIMEOUT, 3]] as $name => $arguments) {
    attempt("$name()", fn() => $link->$name(...$arguments));
}
attempt('unknown option', fn() => $link->options(12345, 1));
attempt('write', function () use ($link) { $link->errno = 1; });
attempt('unknown', fn() => $link->nothing);
attempt('close', fn() => $link->close());
attempt('closed', fn() => $link->errno);
attempt('closed again', fn() => $link->close());
show($link);

class Lazy extends mysqli
{
    public function __construct()
    {
    }
}
attempt('not constructed', fn() => (new Lazy)->query('x'));
attempt('clone', fn() => clone new Lazy);
attempt('warning', fn() => new mysqli_warning);

$driver = new mysqli_driver;
$driver->report_mode = '3';
show($driver);
attempt('mode', function () use ($driver) { $driver->report_mode = 'x'; });
attempt('version', function () use ($driver) { $driver->client_version = 1; });
attempt('strict again', fn() => new mysqli(...$closed));
