<?php
// What PHP's compiler makes of an expression decides what may be passed by reference, and how operands stand in messages.
function by_ref(&$x) { return 'passed'; }
function twice($f) { try { echo $f(), "\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; } }
twice(fn() => (fn(?string &$x) => 'passed')(trim('a')));
twice(fn() => (fn(&$x) => 'passed')(max(1, 2)));
twice(fn() => (fn(&$x) => 'passed')(strrev('a')));
twice(fn() => (fn(&$x) => 'passed')(@strrev('a')));
twice(fn() => (fn(&$x) => 'passed')(@new ArrayIterator([])));
twice(fn() => (fn(&$x) => 'passed')(get_class(new stdClass)));
twice(fn() => (fn(&$x) => 'passed')(in_array(1, [1])));
twice(fn() => by_ref(sprintf('%s', 'a')));
twice(fn() => by_ref(sprintf('%5s', 'a')));
twice(fn() => by_ref([1]));
twice(fn() => array_walk([$undefined], function () use ($later) {}));
twice(fn() => (array) 1 * implode(',', [1, 2]));
twice(fn() => (array) 1 * strrev('a'));
twice(fn() => in_array($late, [$late = 5]) ? 'found' : 'not found');
$g = (function () { $x = yield by_ref(yield 1); })();
$g->current();
$g->send(2);
echo json_encode([1e15 + 0.25, 1e15 + 0.75, 15169888307953.3125]), "\n";

// Variables that nobody has set.
function returns_null(): ?int { return $a; }
function &returns_reference(): ?array { return $a; }
twice(fn() => returns_null() . 'null');
twice(fn() => json_encode(returns_reference()));
twice(fn() => match ($m) { 7, 1 => 1 });
$x1 = $x1 + $z1;
try { $x2 = $x2 % null; } catch (Error $e) { echo $e->getMessage(), "\n"; }
echo $x2, "\n";
$r = [];
$q = &$r;
$r .= $r;
echo $r, "\n";
$h = &$k;
try { $h[1] ^= $k; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $missing::$s = &$made[1]; } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump(isset($made));
try {
    echo $w ??=
        new stdClass;
} catch (Error $e) { echo $e->getLine(), "\n"; }
switch (1) {
    case [$u => null]:
}
switch (1) {
    case sqrt((1 *
        $u)):
}

// What an error handler's exception does not stop.
set_error_handler(function ($n, $m) { throw new ErrorException($m, $n); });
function chain($f) { try { $f(); } catch (Throwable $t) { echo $t::class, ': ', $t->getMessage(), ' <- ', $t->getPrevious()?->getMessage(), "\n"; } }
chain(function () { $u[[]] >>= 1; });
chain(function () { ++$u[$u][1]; });
chain(function () { chain(...$u); });
chain(function () { [...$u]; });
