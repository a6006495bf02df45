<?php
// jsonSerialize that changes, throws, recurses or encodes again.
class J implements JsonSerializable { public $n = 1; function __construct(private $f) {}
function jsonSerialize(): mixed { return ($this->f)($this); } }
$data = ['a' => 1]; $data['j'] = new J(function () { global $data; $data = 'changed'; return ['x' => 2]; }); $data['b'] = 3; echo json_encode($data), json_encode($data), "\n";
echo json_encode(new J(fn() => new J(fn() => 'nested'))), json_encode(new J(fn($t) => $t)), json_encode([new J(fn() => json_encode(['in' => json_encode("\xff"), 'e' => json_last_error()]))]), json_last_error(), "\n";
try { echo json_encode([1, new J(fn() => throw new Exception('ser'))]); } catch (Exception $e) { echo $e->getMessage(), get_class($e->getPrevious() ?? $e), json_last_error(), "\n";
} $o = new J(fn($t) => ['self' => $t, 'n' => ++$t->n]); var_dump(json_encode($o), json_last_error_msg()); $l = [new J(function () use (&$l) { $l[] = 'grown'; return count($l); }), 'x']; echo json_encode($l), json_encode($l), "\n";
echo json_encode(new J(fn() => new ArrayIterator([1]))), json_encode(new J(fn() => 1.0), JSON_PRESERVE_ZERO_FRACTION), json_encode(new J(fn() => null)), json_encode(new J(fn() => "\xff"), JSON_PARTIAL_OUTPUT_ON_ERROR), json_encode((object) ['p' => new J(fn() => (object) [])]), "\n";
var_dump(json_encode(new J(fn() => fopen('php://memory', 'r'))), json_last_error_msg()); class H { public $pub = 1; public string $hook { get { global $h; $h->dyn = 1; return 'hooked'; } } public $after = 2; } #[AllowDynamicProperties] class H2 extends H {} $h = new H2; echo json_encode($h), json_encode($h), "\n";
class D { public $x; function __destruct() { echo '~D '; } } echo json_encode(new J(fn() => new D)), "\n";
$deep = new J(function ($t) { static $n = 0; return $n++ < 5 ? [$t->n++, new J(fn() => $n)] : 'end'; }); echo json_encode($deep), json_encode(['k' => $deep], depth: 2) === false ? json_last_error_msg() : '', "\n";
var_export(json_decode(json_encode(new J(fn() => ['k' => [true, null, 1.5]])), true)); echo "\n";
try { json_encode(new J(fn() => NAN), JSON_THROW_ON_ERROR); } catch (JsonException $e) { echo $e->getMessage(), $e->getCode(), "\n";
}
