<?php
// The SPL iterator family.
require __DIR__ . '/inc/show.php';
$a = new ArrayIterator(['a' => 1, 'b' => 2, 'c' => 3, 'd' => 4]); $arr = fn($it, $k = true) => iterator_to_array($it, $k);
show('limit', $arr(new LimitIterator($a, 1, 2)), $arr(new LimitIterator($a, 2)));
show('callback', $arr(new CallbackFilterIterator($a, fn($v, $k, $it) => $v % 2 && $k !== 'x')));
show('infinite', implode(',', $arr(new LimitIterator(new InfiniteIterator(new ArrayIterator([1, 2])), 0, 5), false))); $ap = new AppendIterator; $ap->append(new ArrayIterator([1, 2])); $ap->append(new ArrayIterator([3]));
show('append', $arr($ap, false), $ap->getIteratorIndex()); $m = new MultipleIterator(MultipleIterator::MIT_KEYS_ASSOC | MultipleIterator::MIT_NEED_ANY); $m->attachIterator(new ArrayIterator([1, 2]), 'x'); $m->attachIterator(new ArrayIterator([3]), 'y'); foreach ($m as $k => $v) show('multiple', $k, $v); $c = new CachingIterator(new ArrayIterator(['x', 'y', 'z'])); foreach ($c as $v) echo $v, $c->hasNext() ? ', ' : "\n"; $c = new CachingIterator(new ArrayIterator(['k' => 1, 'l' => 2]), CachingIterator::FULL_CACHE); foreach ($c as $_);
show('cache', $c->getCache(), count($c), $c['k']);
show('regex', $arr(new RegexIterator(new ArrayIterator(['apple', 'bob', 'avocado']), '/^a/')), $arr(new RegexIterator(new ArrayIterator(['a1' => 1, 'b' => 2]), '/\d/', RegexIterator::MATCH, RegexIterator::USE_KEY)), $arr(new RegexIterator(new ArrayIterator(['a1b2']), '/\d/', RegexIterator::ALL_MATCHES)), $arr(new RegexIterator(new ArrayIterator(['a,b']), '/,/', RegexIterator::SPLIT))); $r = new RecursiveArrayIterator([1, [2, [3, 4]], 5, 'k' => ['x' => 6]]);
show('leaves', $arr(new RecursiveIteratorIterator($r), false)); foreach ([RecursiveIteratorIterator::SELF_FIRST, RecursiveIteratorIterator::CHILD_FIRST] as $mode) { $out = []; foreach ($rii = new RecursiveIteratorIterator($r, $mode) as $k => $v) $out[] = $rii->getDepth() . ':' . $k . '=' . (is_array($v) ? 'arr' : $v);
show('mode', $out); } $rii = new RecursiveIteratorIterator($r); $rii->setMaxDepth(1);
show('max depth', $arr($rii, false), $rii->getMaxDepth()); foreach (new RecursiveTreeIterator(new RecursiveArrayIterator(['a' => 1, 'b' => ['c' => 2, 'd' => ['e' => 3]]])) as $k => $line) echo $k, ' ', @$line, "\n"; class Odd extends FilterIterator { function accept(): bool { return $this->current() % 2 === 1; } } show('filter', $arr(new Odd(new ArrayIterator([1, 2, 3])))); class RF extends RecursiveFilterIterator { function accept(): bool { return $this->hasChildren() || $this->current() > 1; } } show('recursive filter', $arr(new RecursiveIteratorIterator(new RF(new RecursiveArrayIterator([1, [1, 2], 3]))), false));
show('recursive callback', $arr(new RecursiveIteratorIterator(new RecursiveCallbackFilterIterator(new RecursiveArrayIterator([1, [2, 3]]), fn($c, $k, $it) => $it->hasChildren() || $c > 1)), false));
show('parent', $arr(new RecursiveIteratorIterator(new ParentIterator(new RecursiveArrayIterator([1, [2, [3]]])), RecursiveIteratorIterator::SELF_FIRST))); $g = (fn() => yield from [1, 2, 3])(); $nr = new NoRewindIterator($g); $nr->next();
show('norewind', $arr($nr, false));
show('iteratoriterator', $arr(new IteratorIterator(new ArrayObject([1, 2]))));
show('empty', $arr(new EmptyIterator));
each(fn() => (new EmptyIterator)->current(), []);
show('generator', $arr((function () { yield 'k' => 1; yield 2; })())); $ai = new ArrayIterator([3, 1, 2]); $ai->seek(2);
show('seek', $ai->current());
each(fn() => $ai->seek(9), []); $ai->uasort(fn($x, $y) => $x <=> $y);
show('sorted', $ai->getArrayCopy(), count($ai)); $ai->offsetSet(null, 'app'); unset($ai[0]);
show('offsets', $ai->getArrayCopy(), isset($ai[1]), $ai[99] ?? 'none');
each(fn() => new LimitIterator($ai, -1), []);
each(fn() => new LimitIterator($ai, 0, -2), []);
show('iterator_apply', iterator_apply($it = new ArrayIterator([1, 2, 3]), fn() => print($it->current() . ' ')), iterator_count($it)); class Tree implements RecursiveIterator { private $i = 0; function __construct(private array $n) {} function current(): mixed { return $this->n[$this->i][0]; } function key(): mixed { return $this->i; } function next(): void { $this->i++; } function rewind(): void { $this->i = 0; } function valid(): bool { return isset($this->n[$this->i]); } function hasChildren(): bool { return !empty($this->n[$this->i][1]); } function getChildren(): ?RecursiveIterator { return new self($this->n[$this->i][1]); } } class Hooked extends RecursiveIteratorIterator { function beginChildren(): void { echo '<ul>'; } function endChildren(): void { echo '</ul>'; } function beginIteration(): void { echo '[begin]'; } function endIteration(): void { echo "[end]\n"; } function nextElement(): void { echo '.'; } function callHasChildren(): bool { return parent::callHasChildren(); } } foreach (new Hooked(new Tree([['a', [['b', []], ['c', [['d', []]]]]], ['e', []]]), 1) as $v) echo $v;
