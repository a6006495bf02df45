<?php
// SQLite3: queries, statements, results, functions in PHP, large objects, copies, authorizer.

function show(string $what, callable $f): void
{
    echo "$what: ";
    try {
        $result = $f();
        echo is_object($result) ? get_class($result) : json_encode($result), "\n";
    } catch (Throwable $e) {
        echo get_class($e), '(', $e->getCode(), '): ', $e->getMessage(), "\n";
    }
}

$db = new SQLite3(':memory:');
show('open again', fn () => $db->open(':memory:'));
show('open', fn () => new SQLite3('/nonexistent/a.db'));
foreach ([false, true] as $exceptions) {
    $db->enableExceptions($exceptions);
    show('exec', fn () => $db->exec('create table if not exists t(a unique, b); insert or ignore into t values(1, 2)'));
    show('syntax', fn () => $db->exec('selec'));
    show('syntax', fn () => $db->prepare('selec'));
    show('constraint', fn () => $db->query('insert into t values(1, 3)'));
    show('codes', fn () => [$db->lastErrorCode(), $db->lastExtendedErrorCode(), $db->lastErrorMsg(), $db->lastInsertRowID(), $db->changes()]);
    show('single', fn () => $db->querySingle('select 1 a, 2 b'));
    show('single row', fn () => $db->querySingle('select 1 a, 2 b', true));
    show('no row', fn () => [$db->querySingle('select 1 where 0'), $db->querySingle('select 1 where 0', true), $db->querySingle('')]);
    show('blob', fn () => $db->openBlob('nope', 'b', 1));
}
$db->enableExceptions(true);

echo "-- parameters\n";
foreach ([null, 1, 2.5, 'x', '7x', true] as $value) {
    foreach ([null, SQLITE3_INTEGER, SQLITE3_FLOAT, SQLITE3_TEXT, SQLITE3_BLOB, SQLITE3_NULL] as $type) {
        $s = $db->prepare('select :a, typeof(:a)');
        $variable = $value;
        if ($type === null) {
            $s->bindValue('a', $value);
            $first = $s->execute()->fetchArray(SQLITE3_NUM);
            $s->bindParam(':a', $variable);
        } else {
            $s->bindValue('a', $value, $type);
            $first = $s->execute()->fetchArray(SQLITE3_NUM);
            $s->bindParam(':a', $variable, $type);
        }
        $second = $s->execute()->fetchArray(SQLITE3_NUM);
        echo json_encode([$value, $type, $first, $second, $variable]), "\n";
    }
}
$s = $db->prepare('select :a, @b, ?5');
foreach (['a', ':b', '@b', 'nope', 0, 5] as $name) {
    show("bind $name", fn () => $s->bindValue($name, "it's $name"));
}
show('count', fn () => [$s->paramCount(), $s->readOnly(), $s->getSQL(), $s->getSQL(true)]);
$r = $s->execute();
show('row', fn () => $r->fetchArray(SQLITE3_NUM));
show('column', fn () => [$r->numColumns(), $r->columnName(0), $r->columnName(9), $r->columnType(0), $r->columnType(1)]);
show('end', fn () => $r->fetchArray());
show('again', fn () => $r->fetchArray(SQLITE3_NUM));
show('clear', fn () => [$s->reset(), $s->clear(), $s->execute()->fetchArray(SQLITE3_NUM)]);
show('close', fn () => $s->close());
show('closed', fn () => $s->execute());

echo "-- functions\n";
show('function', fn () => $db->createFunction('rev', fn ($x) => strrev($x), 1, SQLITE3_DETERMINISTIC));
show('call', fn () => $db->querySingle("select rev('abc')"));
show('types', fn () => $db->createFunction('kind', fn (...$all) => implode(',', array_map('gettype', $all))));
show('call', fn () => $db->querySingle("select kind(1, 2.5, null, 'x', x'00')"));
show('throw', fn () => $db->createFunction('bad', fn () => throw new LogicException('from SQL')));
show('call', fn () => $db->querySingle('select bad()'));
show('object', fn () => $db->createFunction('bad', fn () => new stdClass()));
show('call', fn () => $db->querySingle('select bad()'));
show('aggregate', fn () => $db->createAggregate('gather', fn ($c, $n, ...$x) => json_encode([$c, $n, $x]), fn ($c, $n) => "$c/$n"));
show('call', fn () => $db->querySingle('select gather(a, b) from (select 1 a, 2 b union select 3, 4)'));
show('empty', fn () => $db->querySingle('select gather(a) from t where 0'));
show('collation', fn () => $db->createCollation('by_length', fn ($a, $b) => strlen($a) <=> strlen($b)));
show('order', function () use ($db) {
    $r = $db->query("select x from (select 'ccc' x union select 'a' union select 'bb') order by x collate by_length desc");
    $all = [];
    while ($row = $r->fetchArray(SQLITE3_NUM)) {
        $all[] = $row[0];
    }
    return $all;
});
show('not callable', fn () => $db->createFunction('f', 'no_such_function'));

echo "-- authorizer\n";
$db->setAuthorizer(fn (int $action) => $action === SQLite3::SELECT ? SQLite3::OK : SQLite3::DENY);
show('select', fn () => $db->querySingle('select 1'));
show('insert', fn () => $db->exec('insert into t values(7, 7)'));
$db->setAuthorizer(fn () => 'x');
show('wrong', fn () => $db->exec('select 1'));
$db->setAuthorizer(null);

echo "-- large objects\n";
$db->exec("insert into t values(9, zeroblob(5))");
$stream = $db->openBlob('t', 'b', $db->lastInsertRowID(), 'main', SQLITE3_OPEN_READWRITE);
show('write', fn () => [fwrite($stream, 'abc'), ftell($stream), fseek($stream, 1), fread($stream, 9), feof($stream)]);
show('grow', fn () => fwrite($stream, '123456'));
fclose($stream);
show('read', fn () => bin2hex($db->querySingle('select b from t where a = 9')));

echo "-- copies\n";
$copy = new SQLite3(':memory:');
show('backup', fn () => [$db->backup($copy), $copy->querySingle('select count(*) from t')]);
show('itself', fn () => $db->backup($db));

echo "-- the end\n";
$s = $db->prepare('select 1');
$r = $s->execute();
show('close', fn () => [$db->close(), $db->close()]);
show('closed', fn () => $db->exec('select 1'));
show('closed', fn () => $s->execute());
show('closed', fn () => $r->fetchArray());
show('codes', fn () => [$db->lastErrorCode(), $db->lastErrorMsg()]);
show('escape', fn () => SQLite3::escapeString("it's"));
