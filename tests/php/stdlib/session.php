<?php
// Sessions: data between starts, formats, ids, user handlers, refusals. Everything is printed at the end: output ends the time for headers.
ob_start();

class Memory implements SessionHandlerInterface, SessionIdInterface, SessionUpdateTimestampHandlerInterface
{
    public static array $data = [];
    private int $ids = 0;
    public function open(string $path, string $name): bool { echo "open $name\n"; return true; }
    public function close(): bool { echo "close\n"; return true; }
    public function read(string $id): string|false { echo "read $id\n"; return self::$data[$id] ?? ''; }
    public function write(string $id, string $data): bool { echo "write $id $data\n"; self::$data[$id] = $data; return true; }
    public function destroy(string $id): bool { echo "destroy $id\n"; unset(self::$data[$id]); return true; }
    public function gc(int $max_lifetime): int|false { return count(self::$data); }
    public function create_sid(): string { return 'id' . ++$this->ids; }
    public function validateId(string $id): bool { return isset(self::$data[$id]); }
    public function updateTimestamp(string $id, string $data): bool { echo "touch $id $data\n"; return true; }
}

ini_set('session.gc_probability', '0');
var_dump(session_status() === PHP_SESSION_NONE, session_set_save_handler(new Memory, false));
var_dump(session_module_name(), session_name('Visit'), session_start(), session_id());
$_SESSION['count'] = 1;
$_SESSION['twice'] = [(object) ["x" => 1], null];
$_SESSION['twice'][1] = $_SESSION['twice'][0];
$_SESSION['same'] = &$_SESSION['count'];
var_dump(session_encode(), session_write_close(), session_status());

var_dump(session_start());
$_SESSION['count']++;
var_dump($_SESSION['same'], $_SESSION['twice'][0] === $_SESSION['twice'][1]);
unset($_SESSION);
var_dump(session_write_close());

var_dump(session_start(['read_and_close' => true]), session_status(), $_SESSION['count']);
var_dump(session_start());
session_write_close();

session_start();
var_dump(session_regenerate_id(true), session_id(), session_gc(), $_SESSION['count']);
var_dump(session_reset(), session_unset(), $_SESSION, session_abort());
session_start();
var_dump(session_destroy(), session_id(), session_destroy());

foreach (['php', 'php_binary', 'php_serialize'] as $format) {
    ini_set('session.serialize_handler', $format);
    session_start();
    $_SESSION = ['a' => 'x|y', 'b' => [1.5, true]];
    $text = session_encode();
    $_SESSION = [];
    var_dump($text, session_decode($text), $_SESSION, @session_decode('a|x'), session_status());
    @session_destroy();
}

session_id('chosen');
session_start(['use_strict_mode' => 1]);
var_dump(session_id() === 'chosen', session_id('other'), session_name('other'), ini_set('session.name', 'x'), session_start());
session_write_close();

ini_set('session.use_strict_mode', '0');
session_id('known');
session_start();
var_dump(session_id(), session_create_id('pre-'), session_create_id('b&d'));
session_abort();
try {
    session_set_cookie_params(['nonsense' => 1]);
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
session_set_cookie_params(['lifetime' => 0, 'path' => '/x', 'samesite' => 'Lax', 'httponly' => true]);
var_dump(session_get_cookie_params(), session_cache_limiter('private'), session_cache_expire(5), session_cache_expire());
