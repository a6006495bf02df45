<?php
// substr and relatives: negative and out-of-range offsets.
require __DIR__ . '/inc/show.php';
each('substr', ['abcdef', 1], ['abcdef', -2], ['abcdef', 1, 3], ['abcdef', 1, -1], ['abcdef', -3, 2], ['abcdef', -3, -2], ['abcdef', 6], ['abcdef', 7], ['abcdef', -10], ['abcdef', -10, 3], ['abcdef', 2, -5], ['abcdef', 0, 0], ['abcdef', 2, null], ['', 0], ['', 1, 2], ['abc', 0, 100], ['abc', 5, -1], [12345, 1, 2], [null, 1], [true, 0], [1.5, 0, 2], ['abc', '1'], ['abc', 1.9], ['abc', 'x'], [[], 1], ['abc', PHP_INT_MIN], ['abc', PHP_INT_MAX, PHP_INT_MIN]);
each('substr_count', ['hello hello', 'hello'], ['aaaa', 'aa'], ['aaaa', 'a', 1], ['aaaa', 'a', 1, 2], ['aaaa', 'a', -2], ['aaaa', 'a', -2, -1], ['abc', ''], ['abc', 'a', 5], ['abc', 'a', 0, 9], ['', 'a'], ['AbAb', 'ab'], ['abc', 'a', -4]);
each('substr_replace', ['Hello', 'J', 0, 1], ['Hello', 'XX', -2], ['Hello', 'X', 1, -1], ['Hello', '!', 5], ['Hello', '!', 99], ['Hello', '^', 0, 0], [['abc', 'def'], 'X', 1, 1], [['abc', 'def'], ['1', '2'], [0, 1], [1, 2]], [['abc', 'def'], ['1'], 0, 1], ['abc', ['x', 'y'], 1], ['abc', 'X', [1], 1], [['a' => 'abc'], 'X', ['a' => 1], 1], ['abc', 'X', -99, 1], ['abc', 'X', 1, null]);
each('substr_compare', ['Hello', 'LLO', -3, 3, true], ['Hello', 'llo', 2], ['abcde', 'cd', 2, 2], ['abcde', 'bc', 1, 0], ['abc', 'b', 1, -1], ['abc', 'x', 5], ['abc', 'c', -1], ['abc', 'abcd', 0, 10], ['abc', 'abd', 0]);
each('strstr', ['user@host', '@'], ['user@host', '@', true], ['abc', 'x'], ['abc', ''], ['', 'a'], ['aXbX', 'X']);
each('stristr', ['USER@host', 'HOST'], ['abc', 'B', true], ['abc', 'z']);
each('strrchr', ['a/b/c', '/'], ['abc', 'bX'], ['abc', 'x'], ['abc', ''], ['a/b/c', '/', true]);
each('strpbrk', ['This is', 'st'], ['abc', 'xyz'], ['abc', '']);
each('str_contains', ['abc', ''], ['', ''], ['abc', 'b'], ['abc', 'B'], ['', 'a'], ['abc', 'abcd']);
each('str_starts_with', ['abc', ''], ['abc', 'ab'], ['abc', 'b'], ['', 'a'], ['abc', 'abcd'], [123, 12]);
each('str_ends_with', ['abc', ''], ['abc', 'bc'], ['abc', 'b'], ['', ''], ['bc', 'abc']);
each('ucfirst', ['abc'], ['Abc'], [''], ['éa'], ['1a'], [' a']);
each('lcfirst', ['ABC'], [''], ['a']);
each('ucwords', ['hello world-foo bar_baz'], ['hello world-foo', '-'], ['a b', ''], ["tab\tnew\nline"], ['hello|world', '| ']);
each('strtolower', ['ÀBC'], ["\xC0ABC"], ['ß'], ['']);
each('strtoupper', ['àbc'], ['straße']);
each('strrev', ['abc'], [''], ["a\0b"], ['é']);
each('str_repeat', ['ab', 3], ['ab', 0], ['', 5], ['ab', -1], ['x', 1]);
each('strlen', ['abc'], [''], ["\0\0"], ['é'], [123], [null], [true], [[]], [1.0]);
each('ord', ['a'], [''], ["\xff"], ['abc'], ['é']);
each('chr', [65], [256], [-1], [300], [-300], ['66'], [0]);
each('nl2br', ["a\nb\r\nc\rd\n\re"], ["a\nb", false]);
each('strspn', ['42 is', '1234567890'], ['foo', 'o'], ['foo', 'o', 1], ['foo', 'o', 1, 1], ['foo', 'o', -2], ['abc', '', 0], ['abc', 'abc', 5], ['abc', 'abc', 0, -1]);
each('strcspn', ['hello', 'l'], ['hello', 'xyz'], ['hello', ''], ['hello', 'l', 3], ['hello', 'o', -2, 1], ["a\0b", "\0"]);
