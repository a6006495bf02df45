<?php
// Waiting inside of SQLite: for a lock until the busy timeout, and in SQL functions and collations written in PHP.

$folder = sys_get_temp_dir() . '/jumbo_sqlite_waiting_' . getmypid();
mkdir($folder);

$holder = new SQLite3("$folder/a.db");
$holder->enableExceptions(true);
$holder->exec('create table t(a); insert into t values(1), (2)');
$waiter = new SQLite3("$folder/a.db");
$waiter->enableExceptions(true);
$waiter->busyTimeout(30);

$holder->exec('begin immediate');
foreach (['insert into t values(3)', 'begin immediate', 'select count(*) from t'] as $sql) {
    $start = hrtime(true);
    try {
        echo $sql, ': ', json_encode($waiter->querySingle($sql)), "\n";
    } catch (SQLite3Exception $e) {
        $waited = (hrtime(true) - $start) / 1e6;
        echo $sql, ': ', $e->getMessage(), ', code ', $e->getCode(), ($waited >= 25 ? ' after waiting' : " after $waited ms"), "\n";
    }
}
$holder->exec('commit');
echo json_encode($waiter->exec('insert into t values(3)')), "\n";

$pdo = new PDO("sqlite:$folder/a.db", options: [PDO::ATTR_TIMEOUT => 0]);
$holder->exec('begin exclusive');
try {
    $pdo->query('select * from t');
} catch (PDOException $e) {
    echo $e->getMessage(), "\n";
}
$holder->exec('rollback');

$calls = 0;
$pdo->sqliteCreateFunction('slow', function ($n) use (&$calls) {
    usleep(500);
    $calls++;
    return -$n;
});
$pdo->sqliteCreateCollation('slowly', function ($a, $b) {
    usleep(200);
    return strcmp($b, $a);
});
$pdo->sqliteCreateAggregate('sum_slowly', function ($sum, $row, $n) {
    usleep(200);
    return $sum + $n;
}, function ($sum) {
    usleep(200);
    return $sum;
});
echo json_encode($pdo->query('select slow(a) from t')->fetchAll(PDO::FETCH_COLUMN)), " $calls calls\n";
echo json_encode($pdo->query('select cast(a as text) x from t order by x collate slowly')->fetchAll(PDO::FETCH_COLUMN)), "\n";
echo json_encode($pdo->query('select sum_slowly(a) from t')->fetchColumn()), "\n";
$s = $pdo->prepare('update t set a = slow(a) where a > ?');
$s->execute([1]);
echo $s->rowCount(), ' ', json_encode($pdo->query('select a from t order by a')->fetchAll(PDO::FETCH_COLUMN)), "\n";

$holder->close();
$waiter->close();
$s = $pdo = null;
array_map('unlink', glob("$folder/*"));
rmdir($folder);
