<?php
// A whole conversation with a server that says what the fuzzer made up. Every error is an answer.
mysqli_report(MYSQLI_REPORT_OFF);
ini_set('default_socket_timeout', '2');
ini_set('mysqlnd.net_read_timeout', '2');
$db = mysqli_init();
$db->options(MYSQLI_OPT_INT_AND_FLOAT_NATIVE, ord($input[0] ?? '') & 1);
if (@$db->real_connect('127.0.0.1', 'user', 'password', 'test', $port)) {
    $result = @$db->query('SELECT 1', ord($input[0] ?? '') & 2 ? MYSQLI_USE_RESULT : MYSQLI_STORE_RESULT);
    if ($result) {
        $result->fetch_fields();
        while (@$result->fetch_array()) {
        }
        $result->free();
    }
    @$db->more_results() && @$db->next_result();
    $statement = @$db->prepare('SELECT ?');
    if ($statement) {
        @$statement->execute(['x']);
        $result = @$statement->get_result();
        while ($result && @$result->fetch_row()) {
        }
        $statement->close();
    }
    @$db->change_user('other', 'password', 'test');
    @$db->stat();
    @$db->multi_query('SELECT 1; SELECT 2');
    do {
        $result = @$db->store_result();
    } while (@$db->next_result());
    @$db->close();
}
