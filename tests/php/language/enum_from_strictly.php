<?php
declare(strict_types=1);
enum C1: int { case A = 1; }
enum C2: string { case A = 'a'; }
enum C3: int {}
function t($f) { try { var_dump($f()); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
foreach ([null, '1', 'a', 1.0, 1.5, true, [], new stdClass] as $v) {
t(fn() => C1::tryFrom($v));
t(fn() => C1::from($v));
t(fn() => C2::tryFrom($v));
t(fn() => C3::tryFrom($v));
t(fn() => call_user_func('C1::tryFrom', $v));
t(fn() => call_user_func('C2::tryFrom', $v));
}
