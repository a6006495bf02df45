<?php
ini_set('pcre.backtrack_limit', '100000000');
preg_match('/^(a+)+$/', str_repeat('a', 40) . 'b');
preg_match('/(?:\D+|<\d+>)*[!?]/', str_repeat('foobar ', 200));
