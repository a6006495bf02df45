<?php
// A user stream wrapper that throws, closes, warns, or opens itself again.
class VarStream { private $pos = 0; private $name; public $context; static $log = []; function stream_open($path, $mode, $opt, &$opened) { self::$log[] = "open $mode"; $this->name = parse_url($path, PHP_URL_HOST); if ($this->name === 'throws') throw new Exception('open throws'); if ($this->name === 'fails') return false; if ($this->name === 'nested') { $GLOBALS['nestedcopy'] = file_get_contents('var://plain'); } if (!isset($GLOBALS[$this->name])) $GLOBALS[$this->name] = ''; return true; }
function stream_read($n) { self::$log[] = "read"; if ($this->name === 'readthrows') throw new Exception('read throws'); $r = substr($GLOBALS[$this->name], $this->pos, $n); $this->pos += strlen($r); return $r; }
function stream_write($d) { self::$log[] = 'write ' . strlen($d); $GLOBALS[$this->name] = substr($GLOBALS[$this->name], 0, $this->pos) . $d . substr($GLOBALS[$this->name], $this->pos + strlen($d)); $this->pos += strlen($d); return strlen($d); }
function stream_eof() { return $this->pos >= strlen($GLOBALS[$this->name]); }
function stream_tell() { return $this->pos; }
function stream_seek($o, $w) { self::$log[] = "seek $o,$w"; $this->pos = $w === SEEK_END ? strlen($GLOBALS[$this->name]) + $o : $o; return true; }
function stream_stat() { return ['size' => strlen($GLOBALS[$this->name])]; }
function url_stat($p, $f) { return strpos($p, 'missing') ? false : ['mode' => 0100644, 'size' => 5]; }
function stream_close() { self::$log[] = 'close'; }
function stream_flush() { self::$log[] = 'flush'; return true; }
function unlink($p) { unset($GLOBALS[parse_url($p, PHP_URL_HOST)]); return true; }
function rename($a, $b) { self::$log[] = 'rename'; return true; }
function mkdir($p, $m, $o) { return true; }
function dir_opendir($p, $o) { $this->pos = 0; return true; }
function dir_readdir() { return ['a', 'b', false][$this->pos++] ?? false; }
function dir_closedir() { return true; }
function dir_rewinddir() { $this->pos = 0; return true; }
function __destruct() { self::$log[] = 'destruct'; } }
stream_wrapper_register('var', 'VarStream'); $plain = "line1\nline2\nline3"; echo file_get_contents('var://plain'), "\n";
$fp = fopen('var://plain', 'r+'); echo fgets($fp); fseek($fp, 0, SEEK_END); fwrite($fp, '!'); rewind($fp); echo fread($fp, 5), feof($fp) ? 'eof' : 'more', ftell($fp), "\n";
fclose($fp); echo $plain, "\n";
echo json_encode(VarStream::$log), "\n";
VarStream::$log = []; file_put_contents('var://newv', 'abc'); echo $newv, file_get_contents('var://nested'), $nestedcopy === $plain ? 'same' : 'diff', "\n";
try { fopen('var://throws', 'r'); } catch (Exception $e) { echo $e->getMessage(), "\n";
} var_dump(@fopen('var://fails', 'r')); try { file_get_contents('var://readthrows'); $readthrows = 'x'; file_get_contents('var://readthrows'); } catch (Exception $e) { echo $e->getMessage(), "\n";
} var_dump(file_exists('var://x'), is_file('var://missing'), filesize('var://x')); unlink('var://newv'); var_dump(isset($newv)); echo json_encode(scandir('var://d')), "\n";
$code = '<?php return 6 * 7 . basename(__FILE__);'; echo include 'var://code', "\n";
var_dump(copy('var://plain', 'var://copied'), $copied === $plain); foreach (file('var://plain', FILE_IGNORE_NEW_LINES) as $l) echo $l, ','; echo "\n";
var_dump(stream_wrapper_register('var', 'VarStream')); stream_wrapper_unregister('var'); var_dump(@file_get_contents('var://plain')); class Few { public $context; function stream_open() { return true; } } stream_wrapper_register('few', 'Few'); $f = fopen('few://x', 'r'); set_error_handler(function ($n, $m) { echo "[$m]\n"; return true; }); var_dump(fread($f, 10)); fwrite($f, 'x'); fclose($f); unlink('few://x'); rename('few://x', 'few://y'); rmdir('few://x'); echo "end\n";
