<?php
// Does ?how=… with what may be on a file system that does not answer. Begins to answer before; with ?go=FILE it goes on when FILE is there.
$path = $_GET['path'];
$file = match ($_GET['how']) {
    'read', 'write', 'fstat', 'close', 'lock', 'leave' => fopen($path, $_GET['how'] === 'write' ? 'r+' : 'r'),
    'session' => [session_cache_limiter(''), session_save_path(dirname($path)), session_id('id'), ini_set('session.use_cookies', '0')],
    default => null,
};
echo "begun\n";
flush();
while (isset($_GET['go']) && !file_exists($_GET['go'])) {
    usleep(1000);
}
$answer = match ($_GET['how']) {
    'is_file' => is_file($path),
    'filesize' => filesize($path),
    'is_readable' => is_readable($path),
    'realpath' => realpath($path),
    'open' => is_resource(fopen($path, 'r')),
    'contents' => file_get_contents($path),
    'include' => include $path,
    'require_once' => require_once $path,
    'resolve' => stream_resolve_include_path($path),
    'scandir' => scandir($path),
    'opendir' => is_resource(opendir($path)),
    'glob' => glob("$path/*"),
    'iterator' => iterator_count(new FilesystemIterator($path)),
    'chdir' => chdir($path),
    'unlink' => unlink($path),
    'rename' => rename($path, "$path.new"),
    'into' => rename($_GET['from'], $path),
    'mkdir' => mkdir($path),
    'rmdir' => rmdir($path),
    'touch' => touch($path),
    'chmod' => chmod($path, 0644),
    'symlink' => symlink('there', $path),
    'readlink' => readlink($path),
    'space' => disk_free_space($path) !== false,
    'tempnam' => basename(dirname(tempnam($path, 'x'))),
    'error_log' => error_log('x', 3, $path),
    'hash_file' => hash_file('crc32b', $path),
    'parse_ini' => parse_ini_file($path),
    'session' => session_start(),
    'read' => fread($file, 100),
    'write' => fwrite($file, 'written'),
    'fstat' => fstat($file)['size'],
    'lock' => flock($file, LOCK_EX),
    'close' => fclose($file),
    'leave' => 'left open',
    'body' => strlen(file_get_contents('php://input')) . ' ' . hash('crc32b', file_get_contents('php://input')),
    'upload' => $_FILES['f']['error'] . ' ' . dirname($_FILES['f']['tmp_name']) . ' ' . hash_file('crc32b', $_FILES['f']['tmp_name']),
    'field' => strlen($_POST['f']),
    'infile' => infile($path, $_GET['port']),
    'sqlite3' => refusal(fn () => new SQLite3($path)),
    'pdo' => refusal(fn () => new PDO("sqlite:$path")),
    'uri' => refusal(fn () => new PDO("sqlite:file:$path?mode=ro")),
    'attach' => refusal(fn () => (new PDO('sqlite::memory:'))->exec("ATTACH '$path' AS far")),
};
echo json_encode($answer), "\n";

function infile(string $path, int $port): string {
    $database = mysqli_init();
    $database->options(MYSQLI_OPT_LOAD_DATA_LOCAL_DIR, dirname($path));
    $database->real_connect('127.0.0.1', 'user', '', '', $port);
    return $database->query("LOAD DATA LOCAL INFILE '$path' INTO TABLE t") ? 'sent' : $database->error;
}

function refusal(Closure $open): string {
    try {
        $open();
        return 'opened';
    } catch (Exception $e) {
        return $e->getMessage();
    }
}
