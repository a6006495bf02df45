<?php
// Arguments whose rules are not those of their declared types.
function check(string $title, callable $run): void
{
    echo "-- $title\n";
    try {
        var_dump($run());
    } catch (Throwable $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}

$none = fn($x) => $x;
// strtr has two forms, whose arguments are looked at in their order.
foreach ([[], null, 1, $none, 'ab'] as $from) {
    foreach ([[], null, 1, $none, 'xy'] as $to) {
        check('strtr ' . get_debug_type($from) . ' ' . get_debug_type($to), fn() => strtr('abc1', $from, $to));
    }
    check('strtr ' . get_debug_type($from), fn() => strtr('abc1', $from));
}
// Declared as a float, but an int keeps its digits.
foreach ([9007199254740993, '9007199254740993', 1.5, null, true, [], 'x'] as $number) {
    check('number_format', fn() => number_format($number));
}
echo new ReflectionParameter('number_format', 0), "\n";
// A default of null that is passed by a call by name.
check('mb_encode_mimeheader', fn() => mb_encode_mimeheader('é', charset: 'UTF-8', newline: "\n"));
check('mb_encode_mimeheader', fn() => mb_encode_mimeheader('é', newline: "\n"));
// Spaces at folds and at the end.
foreach (['12 ', ' ', 'a  ', str_repeat('abc ', 30), str_repeat('abc  ', 30)] as $text) {
    check('mb_encode_mimeheader', fn() => mb_encode_mimeheader($text, 'UTF-8', 'B'));
}
// Ints as operators take them.
foreach ([['1', 2, 0, 255], [null, 255, 0, 255], [true, 255, 0, 255], ['a', 255, 0, 255], [1.5, 255, 0, 255], ['1x', 255, 0, 255], [[], 1, 1, 1]] as $map) {
    check('mb_encode_numericentity', fn() => mb_encode_numericentity("a\x01\x0c", $map));
}
// What is converted as a cast converts.
foreach ([[], $none, null, 5, 'Exception'] as $class) {
    check('get_class_vars', fn() => count(get_class_vars($class)));
}
check('filter_var_array', fn() => filter_var_array(['x' => 'ab', 'w' => '1'], ['x' => $none, 'w' => FILTER_VALIDATE_INT]));
check('array_merge_recursive', fn() => count(array_merge_recursive(['a' => $none], ['a' => []])['a']));
// Plain calls have the words of an opcode.
$function = 'array_key_exists';
check('array_key_exists', fn() => array_key_exists([], []));
check('array_key_exists', fn() => $function([], []));
check('array_key_exists', fn() => array_key_exists(...[[], []]));
// Room is asked for before anything is done.
foreach ([fn() => chunk_split(str_repeat('a', 70000), 1, str_repeat('b', 70)), fn() => wordwrap(str_repeat('a', 70000), 1, 'bbb', true)] as $run) {
    check('room', fn() => strlen($run()));
}
// Ties are not compared by their places.
class Text
{
    public function __construct(private string $text) {}
    public function __toString(): string
    {
        echo "<$this->text>";
        return $this->text;
    }
}
foreach ([['b', 'a', 'a'], ['b', 'a', 'a', 'c'], ['a', 'b', 'a']] as $texts) {
    $objects = array_map(fn($text) => new Text($text), $texts);
    check('array_intersect', fn() => count(array_intersect($objects)));
    check('array_intersect', fn() => count(array_intersect($objects, $objects)));
    check('array_unique', fn() => count(array_unique($objects, SORT_LOCALE_STRING)));
    check('sort', fn() => sort($objects, SORT_STRING));
}
// Direct calls of implode, min and max are opcodes, which differ from other calls.
function kind(mixed $value): string
{
    return is_object($value) ? $value::class : get_debug_type($value) . ' ' . json_encode($value, JSON_PARTIAL_OUTPUT_ON_ERROR);
}
[$implode, $min, $max] = ['implode', 'min', 'max'];
foreach ([null, 1, $none, [1, 2]] as $separator) {
    check('implode', fn() => implode($separator));
    check('implode', fn() => $implode($separator));
    check('implode', fn() => implode($separator, [1, 2]));
    check('implode', fn() => $implode($separator, [1, 2]));
    check('implode', fn() => implode($separator, null));
    check('implode', fn() => $implode($separator, null));
    check('join', fn() => join($separator, $separator));
}
foreach ([[new stdClass, new Text('a')], [1, NAN], [NAN, 1], ['1', NAN], [NAN, '1'], [1, '1'], [1.0, 1]] as [$a, $b]) {
    echo kind(max($a, $b)), ', ', kind(min($a, $b)), ', ', kind($max($a, $b)), ', ', kind($min($a, $b)), "\n";
}
echo kind(max(NAN, '1', 1)), ', ', kind(max('1', NAN, 1)), ', ', kind(max(NAN, 1, 1)), ', ', kind(max(new stdClass, new Text('a'), [])), "\n";
check('compact', function () { $a = [1]; $a[] = &$a; return compact($a, 5); });
