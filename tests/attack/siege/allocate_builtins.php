<?php
$calls = [fn() => str_replace('a', str_repeat('b', 3000), str_repeat('a', 1e6)), fn() => json_encode(str_repeat("\x01", 40 << 20)), fn() => range(0, 1e8),
    fn() => str_repeat('x', 1 << 40), fn() => serialize(array_fill(0, 5e6, 'x')), fn() => implode(',', array_fill(0, 5e6, 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')),
    fn() => array_fill(0, 1e9, 0), fn() => sprintf('%2000000000s', 'x'), fn() => mb_convert_encoding(str_repeat('x', 100 << 20), 'UTF-32')];
$calls[array_rand($calls)]();
