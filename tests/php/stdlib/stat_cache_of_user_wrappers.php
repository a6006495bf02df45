<?php
// PHP keeps what the last url_stat() said, for one name, until something happens to plain files or clearstatcache() is called.

class W {
    public $context;
    static $mode = 0100644;
    function url_stat($path, $flags) { echo "  url_stat($path, $flags)\n"; return str_contains($path, 'none') ? false : ['mode' => self::$mode, 'size' => 5, 'uid' => 1, 'mtime' => 7]; }
    function unlink($path) { echo "  unlink\n"; return true; }
    function rename($a, $b) { return true; }
    function mkdir($p, $m, $o) { return true; }
    function stream_open($p, $m, $o, &$op) { return true; }
    function stream_read($n) { return ''; }
    function stream_eof() { return true; }
    function stream_write($d) { return strlen($d); }
    function stream_metadata($p, $o, $v) { return true; }
    function stream_stat() { echo "  stream_stat\n"; return ['size' => 9]; }
}
stream_wrapper_register('ww', 'W');
$plain = tempnam(sys_get_temp_dir(), 'stat');
function all($name) {
    foreach (['is_dir', 'is_file', 'filesize', 'file_exists', 'is_link', 'filemtime', 'is_readable', 'is_writable', 'is_executable', 'fileperms', 'filetype', 'fileowner', 'is_file', 'lstat', 'stat'] as $f) {
        echo "$f\n";
        $r = @$f($name);
        echo '  ', is_array($r) ? $r['size'] : var_export($r, true), "\n";
    }
}
all('ww://a');
echo "== no file\n"; all('ww://none');
W::$mode = 0120777; clearstatcache(); echo "== link\n"; all('ww://a');
W::$mode = 0100644;
$h = fopen($plain, 'w+');
$acts = [
    'nothing' => fn() => 0,
    'another name' => fn() => is_file('ww://b'),
    'a plain name' => fn() => is_file($plain),
    'a plain name that is not there' => fn() => is_file($plain . 'x'),
    'a link' => fn() => is_link($plain),
    'plain exists' => fn() => file_exists($plain),
    'plain readable' => fn() => is_readable($plain),
    'user unlink' => fn() => unlink('ww://a'),
    'user rename' => fn() => rename('ww://a', 'ww://b'),
    'user mkdir' => fn() => mkdir('ww://a'),
    'user touch' => fn() => touch('ww://a'),
    'user chmod' => fn() => chmod('ww://a', 0600),
    'user write' => fn() => file_put_contents('ww://a', 'x'),
    'user read' => fn() => file_get_contents('ww://a'),
    'plain open' => fn() => fopen($plain, 'r'),
    'plain write' => fn() => fwrite($h, 'x'),
    'plain read' => fn() => fread($h, 1),
    'plain flush' => fn() => fflush($h),
    'plain seek' => fn() => fseek($h, 0),
    'plain stat' => fn() => fstat($h),
    'plain truncate' => fn() => ftruncate($h, 0),
    'plain chmod' => fn() => chmod($plain, 0600),
    'plain touch' => fn() => touch($plain),
    'plain unlink that fails' => fn() => @unlink($plain . 'x'),
    'plain mkdir' => fn() => mkdir($plain . 'd'),
    'plain rename' => fn() => rename($plain . 'd', $plain . 'e'),
    'plain rmdir' => fn() => rmdir($plain . 'e'),
    'plain unlink' => fn() => unlink($plain),
    'memory' => fn() => file_put_contents('php://memory', 'x'),
    'chdir' => fn() => chdir('/'),
    'clearstatcache' => fn() => clearstatcache(),
    'clearstatcache of another' => fn() => clearstatcache(true, 'zz'),
    'SplFileInfo' => fn() => (new SplFileInfo('ww://a'))->isFile(),
    'opendir' => fn() => opendir('/'),
    'symlink' => fn() => @symlink('/', '/'),
    'readlink' => fn() => @readlink('/'),
    'realpath' => fn() => realpath('/'),
];
foreach ($acts as $name => $act) {
    clearstatcache();
    ob_start(); is_file('ww://a'); ob_end_clean();
    echo "== $name\n";
    $act();
    echo "again\n";
    is_file('ww://a');
}
