<?php
// Sessions on the command line: files handler, encoding, regeneration, user handlers.
require __DIR__ . '/inc/show.php';
ob_start();
$dir = sys_get_temp_dir() . '/jt_sess_' . getmypid();
mkdir($dir);
session_save_path($dir);
ini_set('session.use_cookies', '0');
ini_set('session.use_only_cookies', '0');
ini_set('session.cache_limiter', '');
show('before', session_status() === PHP_SESSION_NONE, session_id(), session_name());
session_id('abc123');
show('start', session_start(), session_status() === PHP_SESSION_ACTIVE, session_id(), $_SESSION);
$_SESSION['n'] = 1;
$_SESSION['arr'] = ['k' => [true, null]];
$_SESSION['obj'] = (object) ['p' => 1];
show('encode', session_encode());
session_write_close();
show('file', file_get_contents("$dir/sess_abc123"), session_status() === PHP_SESSION_NONE, $_SESSION['n']);
$_SESSION = ['lost'];
session_start();
show('again', $_SESSION);
$_SESSION['n']++;
session_commit();
session_start(['read_and_close' => true]);
show('read and close', $_SESSION['n'], session_status() === PHP_SESSION_NONE);
session_start();
$_SESSION['n'] = 'changed';
session_abort();
session_start();
show('after abort', $_SESSION['n']);
$_SESSION['n'] = 'changed';
session_reset();
show('after reset', $_SESSION['n']);
$old = session_id();
show('regenerate', session_regenerate_id(true), session_id() !== $old, file_exists("$dir/sess_$old"), strlen(session_id()));
session_unset();
show('unset', $_SESSION, session_destroy(), session_status() === PHP_SESSION_NONE, glob("$dir/*"));
each('session_decode', ['a|i:1;']);
session_id('ser');
session_start();
show('decode', session_decode('a|i:1;b|s:1:"x";'), $_SESSION);
session_write_close();
ini_set('session.serialize_handler', 'php_serialize');
session_id('ser2');
session_start();
$_SESSION['q'] = [1];
session_write_close();
show('php_serialize', file_get_contents("$dir/sess_ser2"));
class Mem implements SessionHandlerInterface, SessionIdInterface, SessionUpdateTimestampHandlerInterface {
    public $d = [];
    public $log = [];
    function open($p, $n): bool { $this->log[] = 'open'; return true; }
    function close(): bool { $this->log[] = 'close'; return true; }
    function read($id): string { $this->log[] = "read"; return $this->d[$id] ?? ''; }
    function write($id, $data): bool { $this->log[] = 'write'; $this->d[$id] = $data; return true; }
    function destroy($id): bool { $this->log[] = 'destroy'; unset($this->d[$id]); return true; }
    function gc($max): int { return 0; }
    function create_sid(): string { $this->log[] = 'create_sid'; return 'generated' . count($this->log); }
    function validateId($id): bool { $this->log[] = 'validate'; return isset($this->d[$id]); }
    function updateTimestamp($id, $data): bool { $this->log[] = 'touch'; return true; }
}
$h = new Mem;
session_id('');
show('set handler', session_set_save_handler($h, true), session_start(), session_id());
$_SESSION['x'] = 5;
session_write_close();
show('stored', $h->d, $h->log);
session_start();
show('same', $_SESSION, session_write_close(), $h->log);
array_map('unlink', glob("$dir/*"));
rmdir($dir);
ob_end_flush();
