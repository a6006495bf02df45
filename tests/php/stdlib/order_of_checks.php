<?php
// What is looked at first: counts before types, resources before the arguments behind them, subjects before patterns.
set_error_handler(function ($level, $message) {
    echo "[$message] ";
    return true;
});
function told(callable $run): void {
    try {
        echo json_encode($run()), "\n";
    } catch (Throwable $e) {
        echo $e::class, ': ', $e->getMessage(), "\n";
    }
}
class Text {
    function __construct(private string $text) {}
    function __toString(): string {
        echo "<$this->text>";
        return $this->text;
    }
}
foreach ([[2.5], [[]], ['a'], [null, null], ['x', 1]] as $list) {
    told(fn() => rand(...$list));
    told(fn() => mt_rand(...$list));
}
told(fn() => stream_context_set_options('a', 'b'));
told(fn() => stream_context_set_params(1, 2));
told(fn() => stream_copy_to_stream(1, 2, []));
told(fn() => stream_copy_to_stream(STDIN, 2, []));
told(fn() => proc_terminate(1, []));
told(fn() => preg_replace([new Text('/a/'), new Text('/b/')], [new Text('x'), new Text('y')], ['k' => new Text('abc'), 'l' => 'ab']));
told(fn() => preg_replace([new Text('/a/'), '1'], [new Text('x')], ['k' => new Text('abc')]));
told(fn() => preg_replace([[1], '/b/'], 'x', ['b', 'bb']));
told(fn() => preg_replace([[1]], 'x', []));
told(fn() => preg_filter(['/b/', new Text('/x/')], ['x', 'y'], ['b', 'a']));
told(fn() => preg_replace(['/a/', '/b/', '/c/'], ['x', 7], 'abc'));
