<?php
set_error_handler(function ($n, $m) { throw new ErrorException($m, $n); });
enum C1: string { case A = '1'; }
enum C2: int { case A = 1; }
t(fn() => C1::from(123456789.12345678));
t(fn() => C1::tryFrom(1.5));
t(fn() => C1::from(null));
t(fn() => C1::from(1.5));
t(fn() => C2::from(1.5));
t(fn() => C2::from('1.5'));
t(fn() => C2::tryFrom(1.5));
t(fn() => C2::from(7.5));
t(fn() => C2::from(null));
t(fn() => strlen(null));
t(fn() => str_repeat("ab", 1.5));
t(fn() => substr("abc", 1.5));
t(fn() => array_fill(1.5, 2, 3));
t(fn() => chr(65.5));
t(fn() => C2::from(1.5 . ''));
