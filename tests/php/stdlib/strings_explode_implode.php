<?php
// explode, implode, str_getcsv, strtok, parse_str, sscanf, str_pad and number-like parsing.
require __DIR__ . '/inc/show.php';
each('explode', [',', 'a,b,c'], [',', ''], [',', 'abc'], [',', 'a,b,c', 2], [',', 'a,b,c', -1], [',', 'a,b,c', 0], [',', 'a,b,c', -5], [',', ',a,', 1], ['', 'abc'], [', ', 'a, b, c'], ['aa', 'aaa'], [',', 'abc', -1], [',', null], [',', 123], [',', 'a,b', PHP_INT_MAX], ["\0", "a\0b"]);
each('implode', [',', ['a', 'b']], [',', []], [['a', 'b']], [['a', 'b'], ','], ['', [1, 2.5, true, false, null, 'x']], [',', [[1], 2]], ['-', ['k' => 'v']], ['x'], [',', 'abc'], [', ', ['only']], [1, [2, 3]], [',', [1.0, 1e20, -0.0]], [null, [1, 2]]);
each('join', ['+', [1, 2]]);
each('str_getcsv', ['a,b,c'], ['a,"b,c",d'], ['"a ""quoted"" b",c'], [''], ['a;b', ';'], ["x,'y,z'", ',', "'"], ['a,,b,'], [' a , b '], ['"multi' . "\n" . 'line",x'], ['a,"b"c,d'], ['a,"unclosed'], ['a\"b,c', ',', '"', '\\'], ['a""b', ',', '"', ''], ['x', ''], ['x', ',,']);
$tok = strtok('a b  c', ' '); $out = []; while ($tok !== false) { $out[] = $tok; $tok = strtok(' '); } show('strtok', $out); strtok('/foo/bar', '/');
show('next', strtok('/'), strtok('/'), strtok('/'));
show('mixed', strtok('a-b_c', '-'), strtok('_'), strtok('x'), strtok('', ' '), strtok(' '));
foreach (['a=1&b=2', 'a[]=1&a[]=2&a[k]=3', 'a[b][c]=d', 'a.b=1&c d=2', 'x', 'x=', '=y', 'a=%20%41&b=+', 'a[=1&b]=2', 'a[b]c=1', 'a=1&a=2', '&&a=1&', 'a[0][]=x&a[0][]=y', 'k%5B%5D=1', 'a[b=1', ' a=1', 'arr[x][]=1&arr[x]=2', 'a=1;b=2', 'ü=ä', '0=zero&1=one', 'a[ b ]=1'] as $q) { parse_str($q, $r);
show($q, $r); }
each('str_pad', ['5', 3, '0', STR_PAD_LEFT], ['abc', 8, 'xy', STR_PAD_BOTH], ['abc', 7, 'xy', STR_PAD_BOTH], ['abc', 5], ['abc', 2], ['abc', -1], ['', 3, '-'], ['abc', 5, ''], ['abc', 6, 'x', 9], ['a', 4, 'bcd', STR_PAD_LEFT]);
each('sscanf', ['age: 25 name: Bob', 'age: %d name: %s'], ['12 apples', '%d %s %s'], ['0x1A', '%x'], ['3.14abc', '%f%s'], ['abc', '%d'], ['', '%d'], ['12345', '%2d%3d'], ['a,b', '%[a-z],%c'], ['id:007', 'id:%3d%n'], ['x y', '%*s %s'], ['077 11', '%o %i'], ['abc123', '%[^0-9]%d'], ['a b', '%1$s %1$s'], ['1', '%z']);
show('sscanf refs', sscanf('10 20', '%d %d', $aa, $bb), $aa, $bb);
each('number_format', [1234567.891], [1234567.891, 2], [1234567.891, 2, ',', '.'], [0.5], [-0.4], [-1234.567, 1], [0], [1234.5678, 3, '', ''], [1234, 2, 'dec', 'thou'], [1e15, 0, '', ' '], [-0.01, 1], [123456789012345678, 0], ['1234'], ['abc'], [1234.5, -2], [1555.5, -1], [NAN], [INF], [0.125, 2], [1.005, 2], [PHP_INT_MAX], [999.999, 2], [1234.5, 2, null, null]);

each('nl2br', ['a']);
each('vsprintf', ['%2$s-%1$04d', [7, 'x']], ['%d', []], ['%s', ['a', 'b']], ['%s', 'notarray']);
each('strval', [1.0], [true], [null], ['x'], [[]], [0.1 + 0.2], [1e22]);
each('intval', ['12abc'], [' 12'], ['0b11', 0], ['0o17', 0], ['017', 0], ['0x1f', 16], ['zz', 36], ['12', 37], [1e20], [null], [[]], [[0]], ['1e3'], [true], ['99999999999999999999'], [-1.9], ['- 5'], ['+5'], ['٣']);
each('floatval', ['1.5abc'], ['-.5e2x'], ['abc'], ['1e1000'], [' 1'], ['1,5'], [null], [true]);
each('boolval', ['0'], ['0.0'], [[]], [[0]], [0.0], ['false'], [null]);
each('is_numeric', ['1e5'], ['0x1A'], [' 1'], ['1 '], ['1x'], ['.'], [''], ['-'], ['+1'], [null], [1.5], ["1\n"]);
