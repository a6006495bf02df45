<?php
// strpos family: offsets, empty needles, case, errors.
require __DIR__ . '/inc/show.php';
foreach (['strpos', 'stripos', 'strrpos', 'strripos'] as $f) each($f, ['abcABCabc', 'b'], ['abcABCabc', 'B'], ['abcabc', 'c', 3], ['abcabc', 'a', -3], ['abcabc', 'b', -1], ['abcabc', 'bc', -2], ['abc', 'x'], ['abc', ''], ['abc', '', 3], ['abc', '', -1], ['', ''], ['', 'a'], ['abc', 'c', 3], ['abc', 'a', 4], ['abc', 'a', -4], ['abc', 'abcd'], ["a\0b", "\0"], ['äöü', 'ö'], ['x12', 1], ['aaa', 'a', 1], ['aaa', 'aa', -1], ['aaa', 'aa', -2], ['aaa', 'aaa', -3], ['abc', null], [null, 'a'], ['abc', []]);
each('substr_count', ['x', 'x']);
each('similar_text', ['World', 'Word'], ['', ''], ['abc', 'xyz'], ['a', 'a']); similar_text('World', 'Word', $p);
show('percent', $p); similar_text('', '', $p);
show('percent', $p);
each('levenshtein', ['kitten', 'sitting'], ['', 'abc'], ['abc', 'abc'], ['abc', 'xyz', 2, 3, 4], ['a', 'b', 1, 1, 1]);
each('soundex', ['Robert'], ['Rupert'], [''], ['Tymczak'], ['a1b2'], ['Pfister']);
each('metaphone', ['Thompson'], ['Knight'], ['physics'], [''], ['Which'], ['Schmidt', 3]);
each('strcmp', ['a', 'b'], ['b', 'a'], ['a', 'a'], ['a', 'ab'], ['', ''], ['A', 'a'], ["a\0b", "a\0c"], ['10', '9'], [1, '1']);
each('strcasecmp', ['HELLO', 'hello'], ['a', 'B'], ['É', 'é']);
each('strncmp', ['abcd', 'abef', 2], ['a', 'b', 0], ['abc', 'abd', 3], ['a', 'b', -1]);
each('strncasecmp', ['ABcd', 'abEF', 2], ['ABcd', 'abEF', 3], ['a', 'b', -1]);
each('strnatcmp', ['img12', 'img10'], ['img2', 'img10'], ['img01', 'img1'], ['1.5', '1.10'], ['a', 'A'], ['', 'a'], ['x 1', 'x  1'], ['1.002', '1.010'], ['-5', '-10'], ['abc', 'abc1'], ['0001', '001'], ['a01', 'a001']);
each('strnatcasecmp', ['IMG2', 'img10'], ['A', 'a'], ['a1B', 'A1b']);
each('strcoll', ['a', 'b'], ['b', 'a'], ['a', 'a']);
each('hash_equals', ['abc', 'abc'], ['abc', 'abd'], ['abc', 'ab'], ['', ''], ['abc', null], [1, '1']);
