<?php
// PDO with SQLite: fetch modes, parameters, columns, errors, transactions, attributes.

function show(string $what, callable $f): void
{
    echo "$what: ";
    try {
        $result = $f();
        echo is_object($result) ? get_class($result) : json_encode($result), "\n";
    } catch (Throwable $e) {
        echo get_class($e), '(', var_export($e->getCode(), true), '): ', $e->getMessage(), ' ', json_encode($e->errorInfo ?? null), "\n";
    }
}

$db = new PDO('sqlite::memory:');
$db->exec("create table t(a, b, c); insert into t values('x', 1, 10), ('x', 2.5, null), ('y', '', x'0061')");

function rows(): PDOStatement
{
    global $db;
    return $db->query('select a, b, c from t');
}

#[AllowDynamicProperties]
class Row
{
    public $a = 'default';
    public function __construct(...$args)
    {
        echo '[', json_encode($args), ' ', json_encode($this->a), ']';
    }
}

echo "-- fetch modes\n";
$modes = ['BOTH', 'ASSOC', 'NUM', 'OBJ', 'BOUND', 'COLUMN', 'CLASS', 'INTO', 'FUNC', 'NAMED', 'KEY_PAIR', 'LAZY'];
foreach ($modes as $name) {
    $mode = constant("PDO::FETCH_$name");
    show("fetch $name", fn () => rows()->fetch($mode));
    show("fetchAll $name", fn () => rows()->fetchAll($mode));
    show("fetchAll $name|GROUP", fn () => rows()->fetchAll($mode | PDO::FETCH_GROUP));
    show("fetchAll $name|UNIQUE", fn () => rows()->fetchAll($mode | PDO::FETCH_UNIQUE));
    show("fetchAll $name|CLASSTYPE", fn () => rows()->fetchAll($mode | PDO::FETCH_CLASSTYPE));
}
foreach ([0, 1, 2, 3, -1] as $column) {
    show("column $column", fn () => rows()->fetchAll(PDO::FETCH_COLUMN, $column));
    show("column $column grouped", fn () => rows()->fetchAll(PDO::FETCH_COLUMN | PDO::FETCH_GROUP, $column));
    show("fetchColumn $column", fn () => rows()->fetchColumn($column));
}
show('class', fn () => rows()->fetchAll(PDO::FETCH_CLASS, 'Row', [1, 'n' => 2]));
show('class late', fn () => rows()->fetchAll(PDO::FETCH_CLASS | PDO::FETCH_PROPS_LATE, 'Row'));
show('class without constructor', fn () => rows()->fetchAll(PDO::FETCH_CLASS, 'stdClass', [1]));
show('fetchObject', fn () => rows()->fetchObject('Row', ['arg']));
show('func', fn () => rows()->fetchAll(PDO::FETCH_FUNC, fn (...$all) => count($all)));
show('pairs', fn () => $GLOBALS['db']->query('select b, a from t')->fetchAll(PDO::FETCH_KEY_PAIR));
show('named', fn () => $GLOBALS['db']->query('select 1 n, 2 n, 3 n, 4 m')->fetch(PDO::FETCH_NAMED));
show('numbers as names', fn () => $GLOBALS['db']->query('select 11 "1", 22 "2"')->fetch());
show('foreach', fn () => iterator_to_array(rows()));
foreach ([[], [99], [PDO::FETCH_COLUMN], [PDO::FETCH_COLUMN, 'x'], [PDO::FETCH_CLASS], [PDO::FETCH_CLASS, 'Row', 5], [PDO::FETCH_INTO, 5],
    [PDO::FETCH_FUNC, 'strlen'], [PDO::FETCH_NUM, 1]] as $arguments) {
    show('setFetchMode ' . json_encode($arguments), fn () => rows()->setFetchMode(...$arguments));
    show('query ' . json_encode($arguments), fn () => $GLOBALS['db']->query('select 1', ...$arguments));
}

echo "-- lazy rows\n";
$lazy = $db->query('select 1 a, null n, 3 b')->fetch(PDO::FETCH_LAZY);
foreach ([0, 9, '1', 'a', 'n', 'nope', 'queryString'] as $key) {
    show("row[$key]", fn () => [$lazy[$key], isset($lazy[$key]), $lazy->{$key}, isset($lazy->{$key}), empty($lazy->{$key})]);
}
show('write', fn () => $lazy['a'] = 1);
show('unset', function () use ($lazy) { unset($lazy->a); });

echo "-- parameters\n";
foreach ([PDO::PARAM_NULL, PDO::PARAM_INT, PDO::PARAM_STR, PDO::PARAM_LOB, PDO::PARAM_BOOL] as $type) {
    foreach ([5, 'abc', '12', null, true, false, 1.5] as $value) {
        $s = $db->prepare('select typeof(:v) t, :v v');
        $variable = $value;
        show("$type " . json_encode($value), function () use ($s, $type, $value, &$variable) {
            $s->bindValue(':v', $value, $type);
            $s->execute();
            $first = $s->fetch(PDO::FETCH_NUM);
            $s->bindParam('v', $variable, $type);
            $s->execute();
            return [$first, $s->fetch(PDO::FETCH_NUM), $variable];
        });
    }
}
$s = $db->prepare('select :a, ?2');
show('by name', fn () => $s->execute(['a' => 1]) ? $s->fetch(PDO::FETCH_NUM) : false);
show('by number', fn () => $s->execute([1, 2]) ? $s->fetch(PDO::FETCH_NUM) : false);
show('too many', fn () => $s->execute([1, 2, 3]));
show('unknown', fn () => $s->execute(['zz' => 1]));
show('zero', fn () => $s->bindValue(0, 1));
show('empty', fn () => $s->bindValue('', 1));
$s->execute([1, 'two']);
$s->debugDumpParams();

echo "-- bound columns\n";
foreach ([PDO::PARAM_INT, PDO::PARAM_STR, PDO::PARAM_BOOL] as $type) {
    $s = rows();
    $s->bindColumn('a', $first, $type);
    $s->bindColumn(3, $third, $type);
    while ($s->fetch(PDO::FETCH_BOUND)) {
        echo json_encode([$first, bin2hex((string) $third)]), ' ';
    }
    echo "\n";
}
$s = rows();
$s->bindColumn(3, $lob, PDO::PARAM_LOB);
$s->fetch(PDO::FETCH_BOUND);
$s->fetch(PDO::FETCH_BOUND);
$s->fetch(PDO::FETCH_BOUND);
echo bin2hex(stream_get_contents($lob)), "\n";
show('no such column', fn () => $s->bindColumn('zz', $x));

echo "-- attributes\n";
foreach ([[true, 0], [false, 1], [false, 2], [true, 2]] as [$stringify, $nulls]) {
    $db->setAttribute(PDO::ATTR_STRINGIFY_FETCHES, $stringify);
    $db->setAttribute(PDO::ATTR_ORACLE_NULLS, $nulls);
    var_dump($db->query("select 1, 2.5, null, ''")->fetch(PDO::FETCH_NUM));
}
$db->setAttribute(PDO::ATTR_STRINGIFY_FETCHES, false);
$db->setAttribute(PDO::ATTR_ORACLE_NULLS, 0);
foreach ([PDO::CASE_UPPER, PDO::CASE_LOWER, PDO::CASE_NATURAL] as $case) {
    $db->setAttribute(PDO::ATTR_CASE, $case);
    show('case', fn () => $db->query('select 1 aB')->fetch(PDO::FETCH_ASSOC));
}
foreach ([[PDO::ATTR_ERRMODE, 7], [PDO::ATTR_ERRMODE, 'x'], [PDO::ATTR_CASE, 9], [PDO::ATTR_STRINGIFY_FETCHES, 'x'], [PDO::ATTR_DEFAULT_FETCH_MODE, 0],
    [PDO::ATTR_STATEMENT_CLASS, []], [PDO::ATTR_STATEMENT_CLASS, ['nope']], [PDO::ATTR_STATEMENT_CLASS, ['stdClass']], [9999, 1]] as [$attribute, $value]) {
    show("set $attribute", fn () => $db->setAttribute($attribute, $value));
}
show('get', fn () => $db->getAttribute(9999));
show('driver', fn () => $db->getAttribute(PDO::ATTR_DRIVER_NAME));
show('meta', fn () => rows()->getColumnMeta(0));

echo "-- errors\n";
foreach ([PDO::ERRMODE_EXCEPTION, PDO::ERRMODE_WARNING, PDO::ERRMODE_SILENT] as $mode) {
    $db->setAttribute(PDO::ATTR_ERRMODE, $mode);
    show('exec', fn () => $db->exec('selec'));
    show('query', fn () => $db->query('select * from nope'));
    show('info', fn () => [$db->errorCode(), $db->errorInfo()]);
    show('constraint', fn () => $db->exec('create table if not exists u(a unique); insert into u values(1); insert into u values(1)'));
    show('info', fn () => [$db->errorCode(), $db->errorInfo()]);
    show('fine', fn () => [$db->exec('delete from u'), $db->errorInfo()]);
}
$db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
show('empty', fn () => $db->prepare(''));
show('dsn', fn () => new PDO('nothing'));
show('driver', fn () => new PDO('nothing:x'));
show('file', fn () => new PDO('sqlite:/nonexistent/file.db'));
show('row', fn () => new PDORow());
show('clone', fn () => clone $db);
show('serialize', fn () => serialize($db));

echo "-- transactions\n";
show('commit', fn () => $db->commit());
show('begin', fn () => [$db->beginTransaction(), $db->inTransaction()]);
show('begin', fn () => $db->beginTransaction());
$db->exec("insert into t values('z', 0, 0)");
show('inside', fn () => $db->query('select count(*) from t')->fetchColumn());
show('back', fn () => [$db->rollBack(), $db->inTransaction()]);
show('outside', fn () => $db->query('select count(*) from t')->fetchColumn());
show('id', fn () => $db->lastInsertId());
show('quote', fn () => $db->quote("it's"));

echo "-- statement classes\n";
class Statement extends PDOStatement
{
    public $tag;
    protected function __construct($tag)
    {
        $this->tag = $tag;
    }
}
$db->setAttribute(PDO::ATTR_STATEMENT_CLASS, [Statement::class, ['given']]);
show('attribute', fn () => $db->getAttribute(PDO::ATTR_STATEMENT_CLASS));
show('tag', fn () => $db->query('select 1')->tag);
show('connect', fn () => PDO::connect('sqlite::memory:'));
show('subclass', fn () => Pdo\Sqlite::connect('sqlite::memory:')->createFunction('f', 'strrev', 1));
