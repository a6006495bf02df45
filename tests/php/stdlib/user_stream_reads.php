<?php
// What a user's stream is asked for by those who read all of it, and errors of JSON texts that go on after their end.
class Wrapper
{
    public $context;
    private $at = 0;
    static $data = "<?php return 7;", $step = 8192;
    function stream_open($path, $mode, $options, &$opened) { echo "[open $mode]"; return true; }
    function stream_set_option($option, $a, $b) { echo "[option $option]"; return false; }
    function stream_stat() { echo '[stat]'; return []; }
    function stream_read($count) { $piece = substr(self::$data, $this->at, self::$step); $this->at += strlen($piece); echo "[$count: ", strlen($piece), ']'; return $piece; }
    function stream_eof() { return $this->at >= strlen(self::$data); }
    function stream_close() { echo '[close]'; }
}
stream_wrapper_register('asked', 'Wrapper');
foreach ([8192, 6] as $step) {
    Wrapper::$step = $step;
    echo "\n", strlen(file_get_contents('asked://x'));
    echo "\n", count(file('asked://x'));
    echo "\n", include 'asked://x';
    echo "\n", file_get_contents('asked://x', false, null, 0, 4);
    $f = fopen('asked://x', 'r');
    echo "\n", fgets($f), var_export(feof($f), true), var_export(fgets($f), true);
    fclose($f);
}
// A wrapper without the methods that are asked for.
class Few
{
    public $context;
    private $read = false;
    function stream_open() { return true; }
    function stream_read($count) { $done = $this->read; $this->read = true; return $done ? '' : '<?php return 8;'; }
    function stream_eof() { return $this->read; }
}
stream_wrapper_register('few', 'Few');
function load() { return include 'few://x'; }
echo "\n", load(), "\n", file_get_contents('few://x'), "\n";
// A line ends where the end was seen; other reads look again.
$name = tempnam(sys_get_temp_dir(), 'lines');
file_put_contents($name, "a\n");
$f = fopen($name, 'r');
var_dump(fgets($f), fgets($f));
file_put_contents($name, "b\nc\n", FILE_APPEND);
var_dump(fgets($f), fread($f, 2), fgets($f));
fclose($f);
unlink($name);
foreach (['"abc', '"a""', '"a" "b', '1 "x', '{"a" "b', '[1 "\\x"', '1 "' . "\x01" . '"', '"a"x', '[1,]"'] as $text) {
    json_decode($text);
    echo json_last_error(), ' ';
}
