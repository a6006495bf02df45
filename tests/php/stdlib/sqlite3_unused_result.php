<?php
// SQLite3::query without a use of its result runs every statement of the text; with one only the first.
$db = new SQLite3(':memory:');
$db->query('create table t(a); insert into t values(1); insert into t values(2)');
echo $db->querySingle('select count(*) from t'), "\n";
$result = $db->query('delete from t; create table u(a)');
echo $db->querySingle("select count(*) from sqlite_master where name = 'u'"), $db->querySingle('select count(*) from t'), "\n";
$db->query('selec');
var_dump($db->query('selec'));
var_dump(call_user_func([$db, 'query'], 'selec'));
call_user_func([$db, 'query'], 'selec');
call_user_func_array([$db, 'query'], ['selec']);
(fn () => $db->query('selec'))();
