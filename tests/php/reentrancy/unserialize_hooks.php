<?php
// __wakeup, __unserialize, __sleep and __serialize that change, drop or throw.
class W { public $v = 1; public $other; function __wakeup() { global $list; echo 'wakeup '; $this->v = 'woken'; if ($this->other) { $this->other->v = 'set by wakeup'; $this->other = null; } $list[] = 'w'; }
function __destruct() { echo '~W '; } }
$a = new W; $a->other = new W; $s = serialize([$a, $a->other]); unset($a); echo "\n", $s, "\n";
$u = unserialize($s); echo json_encode($u), "\n";
unset($u); echo "\n";
class T { public $x = 1; function __wakeup() { throw new Exception('wakeup throws'); }
function __destruct() { echo 'never destructed '; } } $s = 'a:2:{i:0;O:1:"T":1:{s:1:"x";i:5;}i:1;O:1:"W":0:{}}'; try { unserialize($s); } catch (Exception $e) { echo $e->getMessage(), "\n";
}
class U { public $d; function __serialize(): array { global $u; $u = null; return ['d' => $this->d, 'self' => $this]; }
function __unserialize(array $a): void { echo 'unser '; $this->d = $a; unset($this->d['self']); if (isset($a['boom'])) throw new Exception('boom'); }
function __destruct() { echo '~U '; } } $u = new U; $u->d = [1]; $s = serialize($u); echo $s, "\n";
$r = unserialize($s); var_dump($r); try { unserialize('O:1:"U":1:{s:4:"boom";i:1;}'); } catch (Exception $e) { echo $e->getMessage(), "\n";
}
class S { public $a = 1; public $b = 2; function __sleep() { unset($this->b); $this->c = 'dyn'; return ['a', 'b', 'c']; } } set_error_handler(function ($n, $m) { echo "[$m] "; return true; }); echo serialize(new S), "\n";
class S2 { function __sleep() { return 'notarray'; } } echo serialize(new S2), "\n";
class S3 { function __sleep() { throw new Exception('sleep throws'); } } try { serialize([1, new S3]); } catch (Exception $e) { echo $e->getMessage(), "\n";
}
class S4 { function __serialize(): array { return 5; } } try { serialize(new S4); } catch (TypeError $e) { echo $e->getMessage(), "\n";
}
class S5 { private $p = 1; function __sleep() { return ['p', 'q', 5]; } } echo str_replace("\0", '~', serialize(new S5)), "\n";
foreach (['', 'x', 'i:5', 'i:5;x', 'a:1:{i:0;i:1;', 'a:-1:{}', 's:5:"abc";', 's:3:"abc"', 'b:2;', 'd:1e1000;', 'i:99999999999999999999;', 'O:8:"stdClass":1:{i:0;i:1;}', 'O:3:"Nop":1:{s:1:"x";i:1;}', 'a:1:{a:0:{}i:1;}', 'R:1;', 'a:2:{i:0;i:1;i:1;R:2;}', 'a:2:{i:0;i:1;i:1;R:9;}', 'r:1;', 'O:1:"E":0:{}', 'C:1:"W":0:{}', 'E:1:"W";', 'E:3:"W:A";', 'N', 'a:1:{s:1:"k";O:8:"stdClass":1:{s:1:"s";r:1;}}', 'O:8:"stdClass":1:{s:1:"s";r:1;}', "O:1:\"W\":1:{s:4:\"\0W\0z\";i:1;}", 'a:1000000000:{}', 'i:+5;', 'i: 5;', 'b:1;garbage'] as $bad) { echo json_encode($bad), ' => '; try { $r = unserialize($bad); echo is_array($r) || is_object($r) ? print_r($r, true) : var_export($r, true), "\n";
} catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n";
} unset($r); }
var_dump(unserialize('a:1:{i:0;O:1:"W":0:{}}', ['allowed_classes' => false])[0] instanceof __PHP_Incomplete_Class, unserialize(serialize([new ArrayObject([1])]), ['allowed_classes' => ['ArrayObject']])); try { unserialize('i:1;', ['allowed_classes' => 5]); } catch (TypeError $e) { echo $e->getMessage(), "\n";
} ini_set('unserialize_callback_func', 'ucb'); function ucb($c) { echo "callback($c) "; eval("class $c {}"); } echo get_class(unserialize('O:5:"Cback":0:{}')), "\n";
echo unserialize('a:1:{i:0;a:1:{i:0;a:1:{i:0;i:1;}}}', ['max_depth' => 2]) === false ? "depth\n" : "no\n";
