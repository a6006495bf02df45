<?php
// unset and writes inside of elements of containers that are objects.
$g = (new \ArrayIterator([1, 2])); unset($g[-1][1]); try { unset($g[0][1]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
$g = (new \ArrayObject([1, 2])); unset($g[-1][1]); try { unset($g[0][1]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump($g);
$g = (new \ArrayObject([[1], 2])); unset($g[0][0]); var_dump($g); $g[0][1] = 3; $g[-1][1] = 3; $g['x'][] = 4; var_dump($g); $r = &$g['y']; $g['z'][1][2] ??= 4; unset($g['w'][1][2]); unset($g['w']['q']->x); var_dump($g);
class AA extends ArrayObject { function offsetGet($k): mixed { echo "get $k\n"; return parent::offsetGet($k); } }
$g = new AA([[1], 2]); unset($g[0][0]); var_dump(count($g)); $g[0][1] = 3; unset($g[5][0]); $g[5]++; $g[6] .= 'x'; $g[7][1] .= 'x';
class AB extends ArrayIterator { }
$g = new AB([[1], 2]); unset($g[0][0]); var_dump(count($g)); $g[0][1] = 3; unset($g[5][0]); $g[5]++; $g[6] .= 'x'; $g[7][1] .= 'x';
$g = new SplFixedArray(3); unset($g[0][0]); $g[0][1] = 2; $g[0] = [1]; unset($g[0][0]); $g[0][] = 2; var_dump($g);
$g = new SplObjectStorage; $k = new stdClass; try { unset($g[$k][0]); } catch (Exception $e) { echo $e->getMessage(), "\n"; } $g[$k] = [1]; unset($g[$k][0]); var_dump($g);
$g = new SplDoublyLinkedList; $g[] = [1]; unset($g[0][0]); var_dump($g);
