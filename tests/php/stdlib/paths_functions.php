<?php
// basename, dirname, pathinfo, fnmatch, realpath-like helpers.
require __DIR__ . '/inc/show.php';
each('basename', ['/a/b/c.txt'], ['/a/b/c.txt', '.txt'], ['/a/b/'], ['/'], [''], ['.'], ['a'], ['c.txt', 'c.txt'], ['//a//'], ['/a/b.tar.gz', '.gz'], ["a\\b"], ['é/ü']);
each('dirname', ['/a/b/c'], ['/a/b/c/'], ['/a'], ['/'], ['a'], [''], ['.'], ['..'], ['a/b'], ['/a/b/c/d', 2], ['/a/b', 5], ['a/b', 2], ['//a//b//'], ['/a/b', 0], ["a\\b"]);
each('pathinfo', ['/p/file.tar.gz'], ['file'], ['.htaccess'], ['/p/.x/'], ['file.'], [''], ['/a.b/c'], ['/p/f.txt', PATHINFO_EXTENSION], ['/p/f', PATHINFO_EXTENSION], ['/p/f.txt', PATHINFO_FILENAME], ['/p/f.txt', PATHINFO_DIRNAME], ['/p/f.txt', PATHINFO_BASENAME | PATHINFO_EXTENSION]);
each('fnmatch', ['*.txt', 'a.txt'], ['*.txt', '.txt'], ['?b[a-c]', 'xbc'], ['*', 'a/b'], ['*', 'a/b', FNM_PATHNAME], ['A*', 'abc', FNM_CASEFOLD], ['[!a]*', 'b'], ['*', '.hid', FNM_PERIOD], ['\\*', '*'], ['', '']);
each('escapeshellarg', ["it's"], [''], ['a b'], ["a\0b"]);
each('escapeshellcmd', ['ls; rm *'], ["it's \"q"]);
each('realpath', ['/../..'], ['/nonexistent/x']);
each('is_uploaded_file', ['/x']);
each('ip2long', ['192.168.1.1'], ['256.1.1.1'], ['1.2.3'], ['']);
each('long2ip', [3232235777], [0], [4294967295]);
each('inet_pton', ['127.0.0.1'], ['::1'], ['nope']);
show('ntop', inet_ntop(inet_pton('2001:db8::1')), inet_ntop("\x7f\0\0\1"));
each('inet_ntop', ['abc']);
each('checkdate', [1, 1, 1]);
each('http_response_code', []);
each('header', ['X-A: b']);
show('headers', headers_sent(), headers_list());
each('setcookie', ['n', 'v'], ['bad=name', 'v'], ['']);
