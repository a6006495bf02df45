<?php
// Undefined variables in compound assignments, unset() and operators: what is told, in which order, and what is left.
function tell(callable $what) {
    try {
        $what();
    } catch (Throwable $t) {
        echo $t->getMessage(), "\n";
    }
}
tell(function () { $x += $y; var_dump($x); });
tell(function () { $x .= $y; var_dump($x); });
tell(function () { $x %= $y; });
tell(function () { try { $x %= 0; } catch (Error) {} var_dump($x); });
tell(function () { try { $x -= []; } catch (Error) {} var_dump($x); });
tell(function () { $x = []; var_dump($x . $y); });
tell(function () { $x = 1.5; var_dump($x % $y); });
tell(function () { unset($x->a[1]); });
tell(function () { unset($x->a->b); });
tell(function () { unset($x->a); });
tell(function () { unset($x[1]); });
tell(function () { $x = [...5, 'k' => $y]; });
tell(function () { $x = [[] => 5, 'k' => $y]; });
