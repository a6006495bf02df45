<?php
// Seeded generators give PHP's own sequences.
require __DIR__ . '/inc/show.php';
mt_srand(42);
show('mt_rand', mt_rand(), mt_rand(), mt_rand(1, 100), mt_rand(1, 6), mt_rand(0, 1), mt_rand(-10, 10), mt_rand(5, 5), mt_rand(0, PHP_INT_MAX), mt_rand(PHP_INT_MIN, PHP_INT_MAX), mt_getrandmax()); mt_srand(1);
show('rand', rand(), rand(1, 10), rand(10, 1), rand(0, 99)); srand(5);
show('srand', rand(), mt_rand()); mt_srand(3, MT_RAND_PHP);
show('legacy', mt_rand(), mt_rand(1, 100), mt_rand(1, 1000)); mt_srand(7); $a = range(1, 10); shuffle($a);
show('shuffle', $a);
show('array_rand', array_rand(['a' => 1, 'b' => 2, 'c' => 3]), array_rand(range(0, 9), 3), array_rand([1, 2, 3], 3), array_rand(['x' => 1], 1));
show('str_shuffle', str_shuffle('abcdefghij')); mt_srand(99);
show('range', array_map(fn() => mt_rand(0, 255), range(1, 12)));
each('mt_rand', [5, 1], [1]);
each('random_int', [5, 1], [3, 3]);
each('array_rand', [[], 1], [[1], 2], [[1, 2], 0]);
each('random_bytes', [0], [-1]);
show('lengths', strlen(random_bytes(16)), strlen(uniqid()), strlen(uniqid('', true)), strlen(uniqid('pre')), lcg_value() < 1);
$r = new Random\Randomizer(new Random\Engine\Mt19937(42));
show('Mt19937', $r->getInt(1, 100), $r->getInt(1, 100), $r->nextInt(), bin2hex($r->getBytes(5)), $r->shuffleArray([1, 2, 3, 4, 5]), $r->shuffleBytes('abcdef'), $r->pickArrayKeys(['a' => 1, 'b' => 2, 'c' => 3], 2), $r->getFloat(0, 1), $r->nextFloat(), $r->getBytesFromString('abc', 8)); $r = new Random\Randomizer(new Random\Engine\PcgOneseq128XslRr64(42));
show('Pcg', $r->getInt(1, 1000), $r->getInt(1, 1000), bin2hex($r->getBytes(8)), $r->shuffleArray([1, 2, 3])); $r = new Random\Randomizer(new Random\Engine\Xoshiro256StarStar(42));
show('Xoshiro', $r->getInt(1, 1000), $r->getInt(1, 1000), bin2hex($r->getBytes(8)), $r->getFloat(-5, 5, Random\IntervalBoundary::ClosedClosed)); $e = new Random\Engine\Mt19937(1);
show('generate', bin2hex($e->generate()), bin2hex($e->generate())); $c = clone $e;
show('clone', $c->generate() === $e->generate()); $s = unserialize(serialize($e));
show('serialized', $s->generate() === $e->generate()); foreach ([fn() => $r->getInt(5, 1), fn() => $r->getBytes(0), fn() => $r->pickArrayKeys([], 1), fn() => $r->pickArrayKeys([1], 2), fn() => $r->getBytesFromString('', 1), fn() => $r->getFloat(1, 0)] as $f) try { $f(); } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; } class Fixed implements Random\Engine { public $n = 0; function generate(): string { return chr(++$this->n); } } $r = new Random\Randomizer(new Fixed);
show('user engine', $r->getInt(0, 9), $r->getInt(0, 9), $r->shuffleArray([1, 2, 3]), bin2hex($r->getBytes(3)));
