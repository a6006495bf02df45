<?php
// The data of a session, as a store gives it back: the first byte says in which of the three formats.
class Any
{
    public $a;
    public int $number = 0;
}
class Store implements SessionHandlerInterface
{
    public function __construct(public string $data) {}
    public function open(string $path, string $name): bool { return true; }
    public function close(): bool { return true; }
    public function read(string $id): string|false { return $this->data; }
    public function write(string $id, string $data): bool { $this->data = $data; return true; }
    public function destroy(string $id): bool { return true; }
    public function gc(int $lifetime): int|false { return 0; }
}

$rest = substr($input, 1);
ini_set('session.serialize_handler', match ($input[0] ?? '') { 'b' => 'php_binary', 's' => 'php_serialize', default => 'php' });
ini_set('session.use_cookies', '0');
ini_set('session.cache_limiter', '');
$store = new Store($rest);
session_set_save_handler($store, false);
session_id('fuzz');
try {
    if (@session_start()) {
        @session_encode();
        @session_decode($rest);
        $_SESSION['more'] = &$_SESSION;
        unset($_SESSION['more']);
        @session_write_close();
        // What was written is read back as it was.
        $written = $store->data;
        session_id('fuzz');
        @session_start();
        @session_reset();
        @session_abort();
    }
} catch (Throwable) {
}
