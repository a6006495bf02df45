<?php
// Traces: call_user_func known at compile time is no entry; the innermost entry of an included file has no argument.
namespace Other {
    function through() { call_user_func('show', 'n'); }
}
namespace {
    function show(...$a) { echo (new Exception)->getTraceAsString(), "\n"; }
    class C {
        static function s($x) { show($x); }
        function m($x) { show($x); }
    }
    call_user_func('show', 1);
    call_user_func_array('show', [1, 2]);
    call_user_func_array([new C, 'm'], [1]);
    call_user_func('C::s', 3);
    call_user_func(...['show', 4]);
    array_map('show', [5]);
    $f = 'call_user_func';
    $f('show', 6);
    Other\through();
    function load($name) { include __DIR__ . "/inc/$name.php"; }
    try {
        load('throws_at_top');
    } catch (Exception $e) {
        echo $e->getTraceAsString(), "\n";
    }
}
