<?php
// SQL functions in PHP that use the same connection, throw, and change what the statement stands on.

$db = new PDO('sqlite::memory:');
$db->exec('create table t(a); insert into t values(1), (2), (3)');

$db->sqliteCreateFunction('inner_count', fn () => (int) $db->query('select count(*) from t')->fetchColumn());
echo json_encode($db->query('select a, inner_count() from t')->fetchAll(PDO::FETCH_NUM)), "\n";

$db->sqliteCreateFunction('add_row', function ($n) use ($db) {
    $db->prepare('insert into log values(?)')->execute([$n]);
    return $n * 10;
});
$db->exec('create table log(n)');
echo json_encode($db->query('select add_row(a) from t')->fetchAll(PDO::FETCH_COLUMN)), ' ',
    json_encode($db->query('select n from log')->fetchAll(PDO::FETCH_COLUMN)), "\n";

$db->sqliteCreateFunction('thrower', function ($n) {
    if ($n > 1) {
        throw new DomainException("row $n");
    }
    return $n;
});
$seen = [];
try {
    foreach ($db->query('select thrower(a) from t') as $row) {
        $seen[] = $row[0];
    }
} catch (DomainException $e) {
    echo 'caught ', $e->getMessage(), ' after ', json_encode($seen), "\n";
}
echo $db->query('select count(*) from t')->fetchColumn(), "\n";

// An exception inside of a nested query passes through both.
$db->sqliteCreateFunction('outer_call', fn () => $db->query('select thrower(5)')->fetchColumn());
try {
    $db->query('select outer_call()');
} catch (DomainException $e) {
    echo 'nested: ', $e->getMessage(), "\n";
}

// A warning's handler that runs another query of the same connection.
set_error_handler(function ($level, $message) use ($db) {
    echo 'handler: ', $message, ' ', $db->query('select max(a) from t')->fetchColumn(), "\n";
    return true;
});
$db->sqliteCreateFunction('warns', fn () => (string) [] . 'x');
echo $db->query('select warns()')->fetchColumn(), "\n";
restore_error_handler();

// The function is replaced while it runs.
$lite = new SQLite3(':memory:');
$lite->enableExceptions(true);
$lite->createFunction('reader', fn () => $lite->querySingle('select 42'));
echo $lite->querySingle('select reader() + reader()'), "\n";

// Values whose conversion to text throws, in parameters and in results.
class Throws
{
    public function __toString(): string
    {
        throw new RangeException('no text');
    }
}
$s = $db->prepare('select ?');
try {
    $s->execute([new Throws()]);
} catch (RangeException $e) {
    echo $e->getMessage(), "\n";
}
$lite->createFunction('gives', fn () => new Throws());
try {
    $lite->querySingle('select gives()');
} catch (RangeException $e) {
    echo $e->getMessage(), "\n";
}

// A collation that throws in the midst of sorting.
$lite->createCollation('broken', fn () => throw new UnexpectedValueException('sort'));
try {
    $lite->querySingle("select x from (select 'a' x union all select 'b' union all select 'c') order by x collate broken");
} catch (UnexpectedValueException $e) {
    echo get_class($e), ' ', $e->getMessage(), "\n";
}
echo $lite->querySingle("select 'still there'"), "\n";

// The connection's last variable goes while one of its statements is read.
$other = new PDO('sqlite::memory:');
$rows = $other->query('select 1 union select 2 union select 3');
unset($other);
foreach ($rows as $n => $row) {
    echo $n, '=', $row[0], ' ';
}
echo "\n";

// A cycle through a function: collected, not leaked.
$cycle = new SQLite3(':memory:');
$cycle->createFunction('again', function () use (&$cycle) {
    return $cycle->querySingle('select 1');
});
echo $cycle->querySingle('select again()'), "\n";
unset($cycle);
gc_collect_cycles();
echo "done\n";
