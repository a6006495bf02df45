<?php
// What is malformed, and where; the order of __wakeup and __unserialize; nested calls of Serializable.
class A { public $a=1; protected $b=2; private $c=3; public int $t=5; function __wakeup() { echo "wake\n"; } }
class B { public $x; function __serialize(): array { return ["k"=>$this->x]; } function __unserialize(array $d): void { echo "unser "; var_dump($d); $this->x=$d['k']; } }
class S implements Serializable { public $d; function serialize() { return serialize($this->d); } function unserialize($s) { $this->d = unserialize($s); } }
class SL { public $p=1; private $q=2; function __sleep() { return ["p","q","zz","p"]; } }
enum E:string { case X='x'; }
$o = new stdClass; $o->self = $o; $o->list=[1,2.5,null,true,"s"]; $o->{"5"}=1;
$arr = [1,[2]]; $arr['r'] = &$arr[0]; $arr['o1']=$o; $arr['o2']=$o; $arr[]=&$arr['o1'];
$s = new S; $s->d=[$o, new A];
$b = new B; $b->x = $b; $b2=new B; $b2->x=[1];
foreach ([$o,$arr,new A,$s,[$s,$s],new SL,E::X,[E::X,E::X],$b2,[new A,new B], 1.0, 0.1, -0.0, INF, NAN, PHP_INT_MIN, "bin\0x"] as $v) { $t = serialize($v); echo str_replace("\0","~",$t),"\n"; try { var_dump(unserialize($t)); } catch (Throwable $e) { echo get_class($e),$e->getMessage(),"\n"; } }
$bad = ['', 'x', 'i:1', 'i:1;x', 'i:;', 'a:1:{i:0;i:1;', 'a:2:{i:0;i:1;}', 'a:1:{i:0;i:1;i:2;}', 's:5:"abc";', 's:3:"abcd";', 's:3:"abc"x', 'O:1:"A":1:{s:1:"a";i:1;', 'O:1:"A":0:{}', 'O:1:"A":1:{i:3;i:1;}', 'O:3:"Zzz":1:{s:1:"a";i:1;}', 'O:1:"A":1:{s:1:"t";s:1:"x";}', 'R:1;','r:1;','a:1:{i:0;R:1;}','a:2:{i:0;i:5;i:1;R:2;}','a:2:{i:0;i:5;i:1;r:2;}','C:1:"A":3:{abc}','C:3:"Zzz":3:{abc}','C:1:"S":4:{i:5;}','C:1:"S":9:{i:5;}','O:1:"S":0:{}','E:3:"E:X";','E:3:"E:Y";','d:1e5;','d:abc;','b:2;','b:1','N','N;','i:99999999999999999999;','S:1:"\41";','a:1:{a:0:{}i:1;}','a:-1:{}','s:-1:"";','O:8:"stdClass":1:{s:1:"a";O:8:"stdClass":0:{}}','O:8:"Iterator":0:{}','O:7:"Closure":0:{}','a:3:{i:0;O:1:"A":0:{}i:1;x','a:1000000:{}','O:8:"stdClass":99:{}','O:8:"std Cla":0:{}','O:8:"stdClass";','O:1:"B":1:{s:1:"k";i:7;}','a:2:{i:0;O:1:"B":1:{s:1:"k";i:7;}i:1;z'];
foreach ($bad as $t) { echo "--- $t\n"; try { var_dump(unserialize($t)); } catch (Throwable $e) { echo get_class($e),":",$e->getMessage(),"\n"; } }
foreach ([['allowed_classes'=>false],['allowed_classes'=>['a']],['allowed_classes'=>[null]],['allowed_classes'=>['a b']],['allowed_classes'=>1],['max_depth'=>-1],['max_depth'=>"x"],['max_depth'=>1]] as $op) try { var_dump(unserialize('a:1:{i:0;O:1:"A":0:{}}', $op)); } catch (Throwable $e) { echo get_class($e),":",$e->getMessage(),"\n"; }
