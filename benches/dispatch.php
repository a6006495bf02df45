<?php
// A small bytecode machine: match and switch dispatch, array as stack.
function run(array $code, int $n): int
{
    $stack = [];
    $acc = 0;
    $pc = 0;
    $steps = 0;
    while ($steps++ < $n) {
        [$op, $arg] = $code[$pc];
        switch ($op) {
            case 'push': $stack[] = $arg; $pc++; break;
            case 'add': $acc += array_pop($stack); $pc++; break;
            case 'mul': $acc = ($acc * $arg) & 0xFFFF; $pc++; break;
            case 'jmp': $pc = $arg; break;
            case 'jodd': $pc = ($acc & 1) ? $arg : $pc + 1; break;
            default: throw new LogicException($op);
        }
        $acc += match (true) { $op === 'push' => 1, $acc > 60000 => 2, default => 3 };
    }
    return $acc;
}
echo run([['push', 5], ['push', 7], ['add', 0], ['mul', 3], ['jodd', 6], ['push', 1], ['add', 0], ['jmp', 0]], 2500000), "\n";
