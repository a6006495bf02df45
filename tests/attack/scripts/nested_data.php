<?php
// Builtins that follow nested data end with an Error, or with the whole of it, never with the process.
// options: -d memory_limit=1G
// expect: 200
// body: done
$deep = [];
for ($i = 0; $i < 300000; $i++) $deep = [$deep];
$copy = [];
for ($i = 0; $i < 300000; $i++) $copy = [$copy];
$object = null;
for ($i = 0; $i < 100000; $i++) $object = (object) ['x' => $object];
$calls = [
    fn() => serialize($deep), fn() => json_encode($deep, 0, PHP_INT_MAX >> 33), fn() => $deep == $copy, fn() => $deep === $copy, fn() => $deep <=> $copy,
    fn() => count($deep, COUNT_RECURSIVE), fn() => array_walk_recursive($deep, fn() => 0), fn() => array_merge_recursive(['x' => $deep], ['x' => $copy]),
    fn() => array_replace_recursive($deep, $copy), fn() => @compact($deep), fn() => mb_convert_variables('UTF-8', 'ISO-8859-1', $deep),
    fn() => mb_convert_encoding($deep, 'UTF-8', 'ISO-8859-1'), fn() => filter_var($deep, FILTER_DEFAULT, FILTER_REQUIRE_ARRAY), fn() => sort($pair = [$deep, $copy]),
    fn() => in_array($deep, [$copy]), fn() => array_unique([$deep, $copy], SORT_REGULAR), fn() => unserialize(str_repeat('a:1:{i:0;', 200000) . 'i:1;' . str_repeat('}', 200000), ['max_depth' => 0]),
    fn() => json_decode(str_repeat('[', 200000) . str_repeat(']', 200000), true, PHP_INT_MAX >> 33), fn() => serialize($object), fn() => $object == clone $object,
    fn() => iterator_count(new RecursiveIteratorIterator(new RecursiveArrayIterator($deep))), fn() => @file_get_contents(str_repeat('compress.zlib://', 20000) . '/dev/null'),
    fn() => eval('return ' . str_repeat('(', 100000) . '1' . str_repeat(')', 100000) . ';'), fn() => eval('return ' . str_repeat('[', 100000) . str_repeat(']', 100000) . ';'),
    fn() => eval(str_repeat('if (1) {', 100000) . str_repeat('}', 100000)), fn() => define('DEEP', $deep), fn() => apcu_store('deep', $deep),
    fn() => new ArrayObject($deep) == new ArrayObject($copy), fn() => highlight_string('<?php ' . str_repeat('(', 100000), true), fn() => gc_collect_cycles(),
];
foreach ($calls as $call) {
    try {
        $call();
    } catch (Error $e) {
        echo get_class($e), ' ';
    }
}
echo 'done';
