<?php
// Builtins that look at exceptions only when they are through: the other elements are converted, texts are written, the exception
// comes at the end. No PHP code runs meanwhile.
class Text
{
    public function __toString(): string
    {
        echo '<Text>';
        return 'b';
    }
}
class Fails
{
    public function __toString(): string
    {
        throw new LogicException('no text');
    }
}

function check(string $title, callable $run): void
{
    echo "-- $title\n";
    try {
        echo json_encode($run(), JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
    } catch (Throwable $error) {
        for (; $error; $error = $error->getPrevious()) {
            echo $error::class, ': ', $error->getMessage(), "\n";
        }
    }
}

function all(): void
{
    $none = fn($x) => $x;
    $list = ['a', $none, [], new Text, 'b', []];
    check('implode', fn() => implode(',', $list));
    check('str_replace', fn() => str_replace(['a', $none, []], [[], 'x', $none], ['aa', [], $none, new Text]));
    check('str_ireplace', fn() => str_ireplace([new Fails], '', ['x', []]));
    check('substr_replace', fn() => substr_replace(['abc', $none, 'abc', [], new Text], [$none, 'x', []], [1, $none, []], [1, $none]));
    check('strip_tags', fn() => strip_tags('<a>x</a>', [$none, 'a', [], new Text]));
    check('strtr', fn() => strtr('abcab', ['a' => $none, 'b' => [], 'c' => new Text]));
    check('printf', fn() => printf("%s|%d|%s|%5s|%f|%s\n", $none, $none, [], 'a', $none, new Text));
    check('vprintf', fn() => vprintf("%2\$s %1\$s|\n", [$none, 1]));
    check('sprintf, wrong at its end', fn() => sprintf('%s|%y', $none, 1));
    check('sprintf, too few', fn() => sprintf('%s|%s|%s', $none, 1));
    check('pack', fn() => pack('A2NA2', $none, $none, []));
    check('array_combine', fn() => array_combine($list, $list));
    check('array_fill_keys', fn() => array_fill_keys($list, 1));
    check('array_diff', fn() => array_diff($list, $list));
    check('array_diff, one element', fn() => array_diff([$none], [[], []]));
    check('array_intersect', fn() => array_intersect($list));
    check('array_intersect, two', fn() => array_intersect(['z', [], []], [new Text, $none, []]));
    check('array_diff_assoc', fn() => array_diff_assoc($list, array_reverse($list)));
    check('array_udiff', fn() => array_udiff([1, 2, 3], 5, fn() => throw new Exception('order')));
    check('array_unique', fn() => array_unique($list));
    foreach ([SORT_STRING, SORT_NUMERIC] as $flags) {
        $sorted = [$none, '3', new Fails, 'b', new Fails, [], 'a'];
        check("sort $flags", function () use (&$sorted, $flags) { return sort($sorted, $flags); });
        echo json_encode($sorted), "\n";
        check("array_multisort $flags", function () use (&$sorted, $flags) { return array_multisort($sorted, SORT_DESC, $flags); });
        echo json_encode($sorted), "\n";
    }
    check('array_column', fn() => array_column([['a' => 1, 'k' => $none], ['a' => 2, 'k' => new Text], ['a' => 3, 'k' => []]], 'a', 'k'));
    check('array_sum', fn() => array_sum(['5a', 'b', $none, [], 2]));
    check('array_product', fn() => array_product([[], '5a', $none, 'b']));
    check('preg_replace', fn() => preg_replace('/a/', 'x', $list));
    check('preg_replace, patterns', fn() => preg_replace([$none, []], 'x', ['aab', [], new Text]));
    check('preg_replace_callback', fn() => preg_replace_callback('/a/', fn() => throw new Exception('found'), ['aaa', 'a', []]));
    check('preg_replace_callback, patterns', fn() => preg_replace_callback(['/a/', $none, '/b/'], function () { echo 'found '; return 'x'; }, 'aab'));
    check('preg_grep', fn() => preg_grep('/a/', $list));
    $file = sys_get_temp_dir() . '/despite-' . getmypid();
    check('file_put_contents', fn() => file_put_contents($file, $list));
    echo file_get_contents($file), "\n";
    check('fputcsv', fn() => fputcsv(fopen($file, 'w'), $list, escape: ''));
    echo file_get_contents($file);
    unlink($file);
}

all();
echo "==== with a handler that throws\n";
set_error_handler(function (int $level, string $message) {
    echo "[$message]\n";
    throw new ErrorException("warned: $message");
});
all();
restore_error_handler();
echo "==== matches are counted on\n";
foreach (['a,b,c', 'a,a,c', 'x'] as $subject) {
    try { preg_replace_callback('/a/', abs(...), $subject, 2, $count); } catch (TypeError) { var_dump($count); }
}
$third = function () { static $calls = 0; if (++$calls > 2) throw new Exception; return 'b'; };
try { preg_replace_callback(['/a/', '/b/'], $third, ['a,a,a', 'b'], -1, $count); } catch (Exception) { var_dump($count); }
try { preg_replace_callback(['/a/', '/^$/'], fn() => new stdClass, ['a', 'aa'], -1, $count); } catch (Error) { var_dump($count); }
$count = 'as it was';
try { preg_replace_callback_array(['/a/' => fn() => throw new Exception], 'aaa', -1, $count); } catch (Exception) { var_dump($count); }
