<?php
// A `goto` back is the last that a function does: its end is reached by other ways all the same.

function search(bool $found, bool $retry): string
{
    try {
        if ($found) {
            throw new LogicException('found');
        }
        return 'plain';
    } catch (LogicException $e) {
        if (!$retry) {
            again:
            try {
                return $e->getMessage();
            } catch (TypeError) {
                throw $e;
            } finally {
                echo "finally\n";
            }
        } else {
            try {
                throw new RuntimeException('once more');
            } catch (RuntimeException) {
                if ($retry) {
                    goto again;
                }
                throw $e;
            }
        }
    }
}

echo search(false, false), "\n", search(true, false), "\n", search(true, true), "\n";

function counting(int $n)
{
    again:
    if ($n > 0) {
        $n--;
        goto again;
    }
    if ($n < 0) {
        return 'never';
    }
}
var_dump(counting(3));
