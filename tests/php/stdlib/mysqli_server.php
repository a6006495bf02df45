<?php
// mysqli against a small server of our own: rows, errors, and a server that breaks off.
$server = proc_open([PHP_BINARY, __DIR__ . '/inc/mysql_server.php'], [1 => ['pipe', 'w']], $pipes);
$port = (int) fgets($pipes[1]);

function connect(): mysqli
{
    global $port;
    return new mysqli('127.0.0.1', 'user', 'secret', 'db', $port);
}

function attempt(string $title, callable $what): void
{
    echo "-- $title\n";
    try {
        var_dump($what());
    } catch (Throwable $e) {
        echo get_class($e), ' ', $e->getCode(), ': ', $e->getMessage(), $e instanceof mysqli_sql_exception ? ' ' . $e->getSqlState() : '', "\n";
    }
}

$link = connect();
var_dump($link->server_info, $link->server_version, $link->thread_id, $link->host_info, $link->protocol_version, $link->character_set_name());

attempt('rows', fn() => $link->query('rows')->fetch_all(MYSQLI_ASSOC));
attempt('both', fn() => $link->query('rows')->fetch_array());
attempt('object', fn() => $link->query('rows')->fetch_object());
attempt('columns', fn() => array_map(fn($c) => [$c->name, $c->type, $c->charsetnr, $c->flags], $link->query('rows')->fetch_fields()));
attempt('iteration', function () use ($link) {
    foreach ($link->query('rows') as $n => $row) {
        echo $n, ' ', json_encode($row), "\n";
    }
});
attempt('unbuffered', function () use ($link) {
    $result = $link->query('rows', MYSQLI_USE_RESULT);
    var_dump($result->fetch_row(), $result->num_rows);
    try {
        $link->query('rows');
    } catch (mysqli_sql_exception $e) {
        echo $e->getMessage(), "\n";
    }
    var_dump($result->fetch_column(), $result->fetch_row(), $result->num_rows);
});
attempt('unbuffered, dropped', function () use ($link) {
    $link->query('rows', MYSQLI_USE_RESULT);
    return $link->query('rows')->num_rows;
});
attempt('numbers', fn() => $link->query('numbers')->fetch_row());
$link->options(MYSQLI_OPT_INT_AND_FLOAT_NATIVE, true);
attempt('native numbers', fn() => $link->query('numbers')->fetch_row());
attempt('done', fn() => [$link->query('done'), $link->affected_rows, $link->insert_id, $link->warning_count, $link->info]);
attempt('fail', fn() => $link->query('fail'));
attempt('after fail', fn() => [$link->errno, $link->sqlstate, $link->error, $link->affected_rows]);
mysqli_report(MYSQLI_REPORT_ERROR);
attempt('fail with a warning', fn() => $link->query('fail'));
mysqli_report(MYSQLI_REPORT_OFF);
attempt('fail in silence', fn() => [$link->query('fail'), $link->error_list]);
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
attempt('broken row', fn() => $link->query('broken')->fetch_row());
attempt('breaks off in the middle', fn() => $link->query('half'));
attempt('gone', fn() => $link->query('rows'));
$link = connect();
attempt('again', fn() => $link->query('rows')->num_rows);
attempt('gone at once', fn() => $link->query('gone'));
$link = connect();
attempt('escape', fn() => $link->real_escape_string("a'b\"c\\d\0e\nf\rg\x1ah" . 'é'));
attempt('async', fn() => [$link->query('rows', MYSQLI_ASYNC), $link->reap_async_query()->fetch_row()]);
attempt('stop', fn() => $link->query('stop'));
proc_close($server);
