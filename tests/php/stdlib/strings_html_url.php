<?php
// Escaping for HTML and URLs, and back.
require __DIR__ . '/inc/show.php';
each('htmlspecialchars', ['<a href="x">T\'s & co</a>'], ['<a href="x">T\'s</a>', ENT_NOQUOTES], ["'\"", ENT_COMPAT], ["'", ENT_QUOTES | ENT_HTML401], ["'", ENT_QUOTES | ENT_HTML5], ['&amp; &lt; &bogus; &#39; &#x27; &#xZZ;', ENT_QUOTES, 'UTF-8', false], ['&amp;'], ["\xff bad", ENT_QUOTES], ["\xff bad", ENT_QUOTES | ENT_SUBSTITUTE], ["\xff bad", ENT_QUOTES | ENT_IGNORE], ['é€'], [''], [null], [5], ["\0\x01"], ["a\x01b", ENT_QUOTES | ENT_DISALLOWED | ENT_HTML5], ['é', ENT_QUOTES, 'ISO-8859-1'], ['x', ENT_QUOTES, 'nonsense'], ["\xe9", ENT_QUOTES, 'ISO-8859-1']);
each('htmlspecialchars_decode', ['&lt;b&gt; &amp;amp; &quot; &#039; &#39; &apos; &#x27;'], ['&quot;&#039;', ENT_NOQUOTES], ['&quot;&#039;', ENT_COMPAT], ['&apos;', ENT_QUOTES | ENT_HTML5], ['&lt &ltx; &LT;']);
each('htmlentities', ['café <ñ> €©™'], ["caf\xe9", ENT_QUOTES, 'ISO-8859-1'], ['∀∈ℝ', ENT_QUOTES | ENT_HTML5], ["\xff"], ['&eacute;', ENT_QUOTES, 'UTF-8', false]);
each('html_entity_decode', ['&eacute;&lt;&amp;lt;&#8364;&#x20AC;&nbsp;&hearts;&bogus;&#0;&#xD800;&#1114112;'], ['&apos;&hellip;', ENT_QUOTES | ENT_HTML5], ['&apos;', ENT_QUOTES | ENT_HTML401], ['&euro;', ENT_QUOTES, 'ISO-8859-1'], ['&eacute;', ENT_QUOTES, 'ISO-8859-1'], ['&quot;&#39;', ENT_NOQUOTES], ['&amp'], ['&#65'], ['&fjlig; &NotEqualTilde;', ENT_HTML5]);
show('table', count(get_html_translation_table(HTML_SPECIALCHARS)), get_html_translation_table(HTML_SPECIALCHARS, ENT_QUOTES), count(get_html_translation_table(HTML_ENTITIES)));
each('urlencode', ['a b&c=d/e?f+g~h-i_j.k é%'], [''], ["\0\n"]);
each('rawurlencode', ['a b&c=d/e?f+g~h-i_j.k é%'], ['*!()\'']);
each('urldecode', ['a+b%20c%C3%A9%zz%'], ['%41%4'], ['a%2Bb']);
each('rawurldecode', ['a+b%20c%C3%A9%zz'], ['%']);
each('http_build_query', [['a' => 1, 'b' => [1, 2], 'c' => ['x' => 'y z', 'n' => ['d' => 'é']]]], [['a', 'b']], [['a', 'b'], 'p_'], [['a' => 1, 'b' => 2], '', ';'], [['a' => 'x y'], '', '&', PHP_QUERY_RFC3986], [['t' => true, 'f' => false, 'n' => null, 'z' => 0, 'e' => '']], [[]], [(object) ['o' => 1]], [['o' => (object) ['p' => 'q']]], [['f' => 1.5, 'g' => 1e20]], [['a b' => 'c&d']]);
each('parse_url', ['https://user:pa%20ss@host.com:8080/p/a/t/h.php?query=1&b[]=2#frag'], ['//host/path'], ['/path?q'], ['?q=1'], ['#f'], ['mailto:x@y.z'], ['host:80'], ['http://'], ['http:///x'], ['http://host:99999/'], ['http://[::1]:80/x'], ['file:///etc/passwd'], ['http://host?q#f'], ['a:b'], ['/a:80'], ['//a:80/b?c'], [''], ['http://u@h'], ['http://u:@h'], ['x://::abc/?'], ['http://a.b/c?d=e?f#g#h'], ["http://h/\x01"], ['http://host/path', PHP_URL_HOST], ['http://host/path', PHP_URL_QUERY], ['http://host:80', PHP_URL_PORT], ['http://h?', PHP_URL_QUERY], ['http:///x', PHP_URL_PATH], ['http://h/', 99], ['/foo:123bar'], ['http://0.0.0.0:0/'], ['zlib:http://x/y'], ['javascript:alert(1)'], ['?a=1:80'], ['foo.com:80'], ['1:2']);
each('base64_encode', [''], ['a'], ['ab'], ['abc'], ["\xff\xfe\0"], [str_repeat('x', 60)]);
each('base64_decode', ['YWJj'], ['YW Jj'], ['YWI='], ['YWI'], ['YQ'], ['Y'], ['@@YWJj', true], ['YWJj@@'], ['YW=Jj', true], ['=YWJj', true], ['YWJj=', true], [''], ["YW\nJj", true], ['_-_-']);
each('bin2hex', ["abc\0\xff"], ['']);
each('hex2bin', ['616263'], ['6'], ['zz'], [''], ['FFfe']);
each('nl2br', ['<b>']);
each('strip_tags', ['a<br>b']);
each('rawurlencode', [5]);
