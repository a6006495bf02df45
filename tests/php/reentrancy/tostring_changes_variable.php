<?php
// __toString that rebinds what is being concatenated, echoed, compared or used as key.
class T { public $n; function __construct($n = 't') { $this->n = $n; }
function __toString(): string { global $v, $s, $arr; echo '(toString) '; $v = 'overwritten'; $s = 'S'; $arr = []; return $this->n; } }
$v = new T; $s = 'orig'; $r = $v . $s; var_dump($r, $v, $s); $s = 'abc'; $s .= new T; var_dump($s); $s = 'abc'; $s = $s . new T . $s; var_dump($s); $v = new T; echo $v, $v, "\n";
$v = new T; var_dump("$v $v"); $arr = ['k' => 'val']; $arr['k'] .= new T; var_dump($arr); $arr = ['t' => 'val']; var_dump($arr[(string) new T] ?? 'none'); $v = new T; var_dump($v == 't', $v); $v = new T; var_dump(in_array('x', ['a', $v, 'b'])); $v = new T; var_dump(strlen($v), str_replace($v, 'X', 'atb'), $v); $arr = [new T('b'), new T('a')]; sort($arr, SORT_STRING); var_dump(count($arr)); $arr = [new T('x'), 'y']; var_dump(implode('-', $arr), count($arr)); $arr = ['x', new T('y')]; var_dump(array_search('y', $arr), in_array(new T('zz'), ['zz']), array_unique([new T('d'), 'd']) == [0 => 'd'], array_sum([1]));
class Thr { function __toString(): string { throw new Exception('no string'); } } $s = 'keep'; try { $s .= new Thr; } catch (Exception $e) { echo $e->getMessage(), ' '; } var_dump($s); $arr = ['k' => 'keep']; try { $arr['k'] .= new Thr; } catch (Exception $e) {} var_dump($arr); try { $arr[] = 'x' . new Thr; } catch (Exception $e) {} var_dump(count($arr)); try { implode(',', ['a', new Thr, 'b']); } catch (Exception $e) { echo $e->getMessage(), "\n";
} try { str_replace('a', 'b', ['x', new Thr]); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n";
} try { sort_thr(); } catch (Exception $e) { echo $e->getMessage(), "\n";
}
function sort_thr() { $a = ['b', new Thr, 'a']; sort($a, SORT_STRING); }
