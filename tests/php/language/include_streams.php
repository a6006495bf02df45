<?php
// include of what a stream wrapper of the program gives, of filters over files, of URLs that are not allowed.
class Memory
{
    public static array $files = [];
    public $context;
    private string $name;
    private int $at = 0;
    public function stream_open($path, $mode, $options, &$opened) { $this->name = substr($path, 6); return isset(self::$files[$this->name]); }
    public function stream_read($count) { $piece = substr(self::$files[$this->name], $this->at, $count); $this->at += strlen($piece); return $piece; }
    public function stream_eof() { return $this->at >= strlen(self::$files[$this->name]); }
    public function stream_stat() { return ['size' => strlen(self::$files[$this->name])]; }
    public function stream_set_option($option, $first, $second) { return false; }
}
stream_wrapper_register('var', 'Memory');
Memory::$files['a'] = '<?php echo __FILE__, " ", __LINE__, "\n"; function of_a() { return "of a"; } $local = $given + 1; return 7;';
$given = 1;
var_dump(include 'var://a', of_a(), $local);
Memory::$files['once'] = '<?php echo "once\n"; return 8;';
var_dump(include_once 'var://once', include_once 'var://once', require_once 'var://once');
var_dump((include 'var://missing') === false);
Memory::$files['broken'] = "<?php\n\nfunction (";
try {
    include 'var://broken';
} catch (ParseError $e) {
    echo $e->getMessage(), ' ', $e->getFile(), ' ', $e->getLine(), "\n";
}
Memory::$files['throws'] = '<?php throw new Exception("in a stream");';
try {
    require 'var://throws';
} catch (Exception $e) {
    echo $e->getFile(), "\n", $e->getTraceAsString(), "\n";
}
$file = tempnam(sys_get_temp_dir(), 'inc');
file_put_contents($file, '<?php return strtoupper("q");');
var_dump(include "php://filter/read=string.tolower/resource=$file");
unlink($file);
include 'data://text/plain,<?php echo 1;';
include 'unknown://x';
