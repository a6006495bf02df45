<?php
// Paths with NUL bytes, `..`, symbolic links, and open_basedir.

$root = sys_get_temp_dir() . '/jumbo-paths-' . uniqid(more_entropy: true);
mkdir($root);
$root = realpath($root);
mkdir("$root/in/deep/deeper", 0777, true);
mkdir("$root/inside");
mkdir("$root/out");
file_put_contents("$root/in/a.txt", "a\n");
file_put_contents("$root/in/code.php", '<?php return "code";');
file_put_contents("$root/in/settings.ini", "one = 1\n");
file_put_contents("$root/inside/b.txt", "b\n");
file_put_contents("$root/out/secret.txt", "secret\n");
file_put_contents("$root/out/code.php", '<?php return "secret code";');

/** Calls it, and prints what it says and gives, without the folder's name. */
function attempt(string $what, callable $call): void
{
    global $root;
    // What stock PHP remembers of earlier calls does not count here.
    clearstatcache(true);
    $said = [];
    set_error_handler(function (int $level, string $text) use (&$said): bool {
        $said[] = $text;
        return true;
    });
    try {
        $result = $call();
        if (is_resource($result)) {
            $result = get_resource_type($result);
        } elseif (is_object($result)) {
            $result = $result::class;
        }
        $result = var_export($result, true);
    } catch (Throwable $thrown) {
        $result = $thrown::class . ': ' . $thrown->getMessage();
    }
    restore_error_handler();
    $text = $what . ' => ' . str_replace("\n", ' ', $result) . implode('', array_map(fn ($line) => "\n    $line", $said));
    echo str_replace([$root, "\0"], ['ROOT', '\0'], $text), "\n";
}

echo "-- NUL bytes\n";
$bad = "$root/in/a.txt\0.png";
$takes = [
    'file_get_contents', 'file', 'readfile', 'file_exists', 'is_file', 'is_dir', 'is_link', 'is_readable', 'is_writable', 'is_executable', 'filesize', 'filemtime',
    'fileperms', 'filetype', 'stat', 'lstat', 'unlink', 'mkdir', 'rmdir', 'opendir', 'scandir', 'dir', 'glob', 'chdir', 'realpath', 'readlink', 'touch',
    'parse_ini_file', 'highlight_file', 'php_strip_whitespace', 'md5_file', 'sha1_file', 'getimagesize', 'disk_free_space', 'gzopen', 'gzfile', 'readgzfile',
    'basename', 'dirname', 'pathinfo', 'clearstatcache', 'is_uploaded_file', 'linkinfo',
];
$more = [
    'fopen' => ['r'], 'file_put_contents' => ['x'], 'copy' => ["$root/in/c"], 'rename' => ["$root/in/c"], 'link' => ["$root/in/c"], 'symlink' => ["$root/in/c"],
    'chmod' => [0644], 'tempnam' => ['x'], 'fnmatch' => ['*'], 'hash_file' => [], 'gzopen' => ['r'], 'move_uploaded_file' => ["$root/in/c"], 'clearstatcache' => [],
];
foreach ($takes as $function) {
    $arguments = $function === 'clearstatcache' ? [true, $bad] : [$bad, ...$more[$function] ?? []];
    attempt($function, fn () => $function(...$arguments));
}
foreach ($more as $function => $arguments) {
    if (!in_array($function, $takes)) {
        attempt($function, fn () => $function === 'hash_file' ? hash_file('md5', $bad) : $function($bad, ...$arguments));
    }
}
attempt('copy to', fn () => copy("$root/in/a.txt", $bad));
attempt('rename to', fn () => rename("$root/in/a.txt", $bad));
attempt('symlink to', fn () => symlink("$root/in/a.txt", $bad));
attempt('tempnam prefix', fn () => tempnam("$root/in", "x\0y") !== false);
attempt('include', fn () => include $bad);
attempt('require', fn () => require $bad);
attempt('SplFileObject', fn () => new SplFileObject($bad));
attempt('SplFileInfo', fn () => (new SplFileInfo($bad))->isFile());
attempt('DirectoryIterator', fn () => new DirectoryIterator($bad));
attempt('PDO', fn () => new PDO("sqlite:$bad"));
attempt('SQLite3', fn () => new SQLite3($bad));
attempt('php://filter', fn () => file_get_contents("php://filter/read=string.toupper/resource=$bad"));
attempt('compress.zlib', fn () => file_get_contents("compress.zlib://$bad"));
attempt('session_save_path', fn () => session_save_path($bad));
attempt('stream_resolve_include_path', fn () => stream_resolve_include_path($bad));
attempt('set_include_path', fn () => set_include_path("a\0b"));
attempt('error_log', fn () => error_log('x', 3, $bad));

echo "-- dots\n";
chdir("$root/in");
foreach (['../out/secret.txt', './/a.txt', 'deep/../a.txt', 'missing/../a.txt', 'a.txt/../a.txt', 'a.txt/.', 'a.txt/', '..//..//..//../../../../../../../etc/hostname/..', '', '.', './/deep/./deeper/..'] as $path) {
    attempt("read '$path'", fn () => @file_get_contents($path));
    attempt("realpath '$path'", fn () => realpath($path));
}
attempt('include dots', fn () => include './deep/../code.php');
attempt('include_once twice', fn () => [include_once 'code.php', include_once 'deep/../code.php', include_once "$root/in//./code.php"]);
attempt('missing folder', fn () => include 'missing/../code.php');

echo "-- links\n";
symlink('../out/secret.txt', "$root/in/to-secret");
symlink('../out', "$root/in/to-out");
symlink('loop-b', "$root/in/loop-a");
symlink('loop-a', "$root/in/loop-b");
symlink('nowhere', "$root/in/dangling");
symlink('deep/deeper', "$root/in/short");
foreach (['to-secret', 'to-out/secret.txt', 'loop-a', 'dangling', 'short/../a.txt', 'short/../../a.txt', 'to-out/../in/a.txt'] as $path) {
    attempt("read $path", fn () => file_get_contents($path));
    attempt("realpath $path", fn () => realpath($path));
    attempt("kind of $path", fn () => [is_link($path), is_file($path), is_dir($path), file_exists($path), @filetype($path), @readlink($path)]);
}
attempt('write through a dangling link', fn () => [file_put_contents('dangling', 'now'), file_exists('nowhere'), unlink('nowhere')]);
attempt('unlink takes the link', fn () => [unlink('to-secret'), file_exists('../out/secret.txt')]);
attempt('rmdir of a link', fn () => rmdir('short'));
symlink('../out/secret.txt', 'to-secret');

symlink('../out/new', 'to-new');
// Nothing can be removed from in there: this waits for the end.
$cleaner = popen("cat >/dev/null; rm -rf '$root'", 'w');
echo "-- open_basedir\n";
attempt('set', fn () => ini_set('open_basedir', "$root/in"));
attempt('get', fn () => ini_get('open_basedir'));
$outside = [
    "$root/out/secret.txt", "$root/in/../out/secret.txt", '../out/secret.txt', 'to-secret', 'to-out/secret.txt', "$root/inside/b.txt", "$root/in", "$root", '..', '/', '/etc/passwd',
    "$root/out/missing", "$root/in/missing/../../out/secret.txt", 'a.txt', "$root/in/deep/../a.txt", 'dangling', "file://$root/out/secret.txt", 'php://memory', 'data:,x',
];
foreach ($outside as $path) {
    attempt("read $path", fn () => file_get_contents($path));
    attempt("exists $path", fn () => file_exists($path));
}
$secret = "$root/out/secret.txt";
foreach (['file', 'readfile', 'is_file', 'is_link', 'stat', 'lstat', 'filesize', 'filetype', 'unlink', 'rmdir', 'opendir', 'scandir', 'chdir', 'realpath', 'readlink', 'touch', 'parse_ini_file', 'highlight_file', 'md5_file', 'disk_free_space', 'gzopen', 'linkinfo', 'is_writable'] as $function) {
    $arguments = $function === 'gzopen' ? [$secret, 'r'] : [$secret];
    attempt($function, fn () => $function(...$arguments));
}
attempt('fopen to write', fn () => fopen("$root/out/new", 'w'));
attempt('file_put_contents', fn () => file_put_contents("$root/out/new", 'x'));
attempt('mkdir', fn () => mkdir("$root/out/new"));
attempt('copy from', fn () => copy($secret, "$root/in/copied"));
attempt('copy to', fn () => copy("$root/in/a.txt", "$root/out/copied"));
attempt('rename to', fn () => rename("$root/in/a.txt", "$root/out/renamed"));
attempt('rename from', fn () => rename($secret, "$root/in/renamed"));
attempt('symlink', fn () => symlink($secret, "$root/in/link"));
attempt('link', fn () => link($secret, "$root/in/link"));
attempt('chmod', fn () => chmod($secret, 0600));
attempt('glob', fn () => glob("$root/out/*"));
attempt('glob inside', fn () => glob("$root/in/*.txt"));
attempt('tempnam', fn () => tempnam("$root/out", 'x'));
attempt('include', fn () => include "$root/out/code.php");
attempt('include inside', fn () => include "$root/in/code.php");
attempt('require', fn () => (function () use ($root) { return require "$root/out/code.php"; })());
attempt('SplFileObject', fn () => new SplFileObject($secret));
attempt('DirectoryIterator', fn () => new DirectoryIterator("$root/out"));
attempt('PDO', fn () => new PDO("sqlite:$root/out/db"));
attempt('SQLite3', fn () => new SQLite3("$root/out/db"));
attempt('php://filter', fn () => file_get_contents("php://filter/read=string.toupper/resource=$secret"));
attempt('write through a link that leads out', fn () => file_put_contents('to-new', 'x'));
attempt('compress.zlib', fn () => file_get_contents("compress.zlib://$secret"));
attempt('widen', fn () => ini_set('open_basedir', $root));
attempt('other', fn () => ini_set('open_basedir', "$root/out"));
attempt('empty', fn () => ini_set('open_basedir', ''));
attempt('narrow', fn () => ini_set('open_basedir', "$root/in/deep"));
attempt('still', fn () => file_get_contents("$root/in/a.txt"));
attempt('restore', fn () => ini_restore('open_basedir'));
attempt('after', fn () => ini_get('open_basedir'));

pclose($cleaner);
