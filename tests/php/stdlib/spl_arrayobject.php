<?php
// ArrayObject and ArrayIterator.
require __DIR__ . '/inc/show.php';
$o = new ArrayObject(['b' => 2, 'a' => 1]); $o['c'] = 3; $o[] = 'app'; unset($o['b']);
show('array', $o->getArrayCopy(), count($o), isset($o['a']), isset($o['zz']), empty($o['a']), $o['a'], $o['undef'], $o['undef'] ?? 'd'); foreach ($o as $k => $v) echo "$k=$v "; echo "\n"; $o->ksort();
show('ksort', $o->getArrayCopy()); $o->uasort(fn($x, $y) => strcmp($x, $y));
show('uasort', (array) $o); $p = new ArrayObject([], ArrayObject::ARRAY_AS_PROPS); $p->x = 1; $p['y'] = 2;
show('props', $p->x, $p->y, isset($p->x), $p['x'], get_object_vars($p), $p->getFlags()); var_dump($p); class Pub { public $a = 1; private $b = 2; } $src = new Pub; $w = new ArrayObject($src); $w['a'] = 'changed'; $w['n'] = 'new';
show('object', $src->a, @$src->n, count($w), isset($w['b'])); foreach ($w as $k => $v) echo "$k=$v "; echo "\n"; $arr = [1, 2]; $c = new ArrayObject($arr); $c[] = 3;
show('copy', $arr, $c->exchangeArray(['z']), $c->getArrayCopy()); $n = new ArrayObject(['k' => ['l' => 1]]); $n['k']['l'] = 2; $n['k']['m'] = 3;
show('nested', $n->getArrayCopy());
show('iterator', get_class($n->getIterator()), $n->getIteratorClass()); class MyIt extends ArrayIterator { function current(): mixed { return 'my ' . parent::current(); } } $o2 = new ArrayObject([1, 2], 0, MyIt::class); foreach ($o2 as $v) echo $v, ' '; echo "\n"; class Ext extends ArrayObject { function offsetGet($k): mixed { echo "[get $k]"; return parent::offsetGet($k); } function offsetSet($k, $v): void { echo '[set ' . v($k) . ']'; parent::offsetSet($k, $v); } function offsetExists($k): bool { echo "[exists $k]"; return parent::offsetExists($k); } function offsetUnset($k): void { echo "[unset $k]"; parent::offsetUnset($k); } } $e = new Ext(['a' => 1]); $e['b'] = 2; $e[] = 3; echo $e['a'], isset($e['b']) ? 'y' : 'n', $e['q'] ?? 'dflt', empty($e['a']) ? 'E' : 'F'; unset($e['b']); echo count($e), "\n";
show('functions', array_key_exists('a', (array) $o), in_array(1, (array) $o), array_keys($o->getArrayCopy()), implode(',', (array) $o));
each('array_keys', [new ArrayObject]);
each(fn() => new ArrayObject(5), []);
each(fn() => (new ArrayObject)->undefined(), []);
show('serialize', serialize(new ArrayObject(['x' => 1])), unserialize(serialize($p)) == $p);
show('clone', (clone $o) == $o, clone $o === $o);
show('json', json_encode(new ArrayObject([1, 2])), json_encode(new ArrayObject(['a' => 1])));
show('compare', new ArrayObject([1]) == new ArrayObject([1]), new ArrayObject([1]) == new ArrayObject([2])); var_dump((bool) new ArrayObject, count(new ArrayObject([1, [2]])), iterator_to_array(new ArrayObject(['q' => 1]))); $it = (new ArrayObject([1, 2, 3]))->getIterator(); while ($it->valid()) { echo $it->key(), $it->current(), ' '; $it->next(); } echo "\n"; foreach (['asort', 'ksort', 'natsort', 'natcasesort'] as $f) { $s = new ArrayObject(['x10' => 'b10', 'x9' => 'B9', 'a' => 'b1']); $s->$f();
show($f, $s->getArrayCopy()); }
try { foreach ($o as $k => &$v) {} } catch (Error $e) { echo $e->getMessage(), "\n"; } $ref = new ArrayObject([1, 2]); $ra = &$ref[0]; $ra = 'via ref';
show('ref', $ref[0]); $null = new ArrayObject([null]);
show('null', isset($null[0]), $null->offsetExists(0), array_key_exists(0, $null->getArrayCopy()));
show('append', (function () { $x = new ArrayObject; $x->append(1); $x->append([2]); return $x->getArrayCopy(); })()); $keys = new ArrayObject; $keys[1.5] = 'f'; $keys[true] = 't'; $keys[null] = 'n'; $keys['5'] = 's';
show('keys', $keys->getArrayCopy());
each(fn() => $keys[[]] = 1, []);
each(fn() => $keys[new stdClass], []);
// The offset of a quiet read is looked at once; a step that fails leaves no reference behind.
$list = new ArrayObject([[1], 2]);
show('quiet', isset($list[0.5][0]), $list[1.5] ?? 3, empty($list[0.5][0]), isset($list[4.5][0]), $list[4.5] ?? 3);
try { ++$list[0]; } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
try { $list[0]--; } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
var_dump($list);
