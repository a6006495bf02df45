<?php
// The texts of Reflection objects: classes, members, functions, parameters, constants.
namespace N;
/** doc of I */
interface I { const X = 1; function im(int $a): string; }
trait T { public $tp = 1; abstract function ta(); static function ts() {} }
/**
 * Doc A
 */
abstract class A implements I {
  /** docc */
  public const int CI = 5;
  protected const CS = 'str';
  final public const CA = [1,2];
  private const CF = 1.5, CN = null, CB = true;
  const CE = E::A;
  public $a = 1;
  protected ?int $b;
  private static array $c = [];
  /** pdoc */
  public readonly int|string $d;
  public string $long = 'a very long string that is longer than fifteen chars';
  public private(set) int $as = 3;
  public int $hk { get => 1; set(int|string $v) { } }
  final public int $vg { get => 3; }
  public static int $si = 7;
  public ?A $o = null;
  /** mdoc
   * x */
  public function __construct(protected int $prom = 5, ?string $y = 'long string value that goes on', $z = [1,2,3], self|null $s = null, I&\Countable ...$rest) {}
  abstract protected function abs(): ?static;
  final static function st(\Closure $c, &$ref, int $x = self::CI, $n = PHP_VERSION, $m = M_X, $nn = new \stdClass): void {}
  private function priv() { }
  function im(int $a): string { return ''; }
  /** @deprecated */
  #[\Deprecated]
  function &dep(): never {}
  function __destruct() {}
}
enum E: string { case A = 'a'; case B = 'b'; const C = self::A; function f() {} }
class B extends A { use T; protected function abs(): ?static { return null; } function priv() {} function ta() {} public $a = 2; function __construct() {} }
final class C extends B implements \IteratorAggregate { function getIterator(): \Traversable {} }
function foo(int $a, string ...$b): int { static $x = 1; return 1; }
/** fdoc */
function gen() { yield 1; }
foreach (['N\I','N\T','N\A','N\E','N\B','N\C'] as $c) { echo new \ReflectionClass($c), "======\n"; }
echo new \ReflectionFunction('N\foo'), new \ReflectionFunction('N\gen'), new \ReflectionFunction('array_map'), new \ReflectionFunction('sort'), new \ReflectionFunction('preg_match');
$v = 1; $w=2;
echo new \ReflectionFunction(function($a) use ($v, &$w) { });
echo new \ReflectionFunction(strlen(...));
echo new \ReflectionFunction(static fn(int $x): int => $x);
echo new \ReflectionMethod('N\A', 'st'), new \ReflectionMethod('N\B', 'im'), new \ReflectionMethod('N\B','abs');
echo new \ReflectionMethod('Exception', '__toString'), new \ReflectionMethod('Exception','getMessage');
echo new \ReflectionParameter('array_map', 0), "\n", new \ReflectionParameter(['N\A','st'],4), "\n", new \ReflectionParameter(['N\A','__construct'],4), "\n";
foreach ((new \ReflectionClass('N\A'))->getProperties() as $p) echo $p;
foreach ((new \ReflectionClass('N\A'))->getReflectionConstants() as $p) echo $p;
foreach ((new \ReflectionClass('N\E'))->getReflectionConstants() as $p) echo $p;
$o = new B; $o->dyn = 1;
echo new \ReflectionObject($o);
echo new \ReflectionProperty($o, 'dyn');

class WithDefaults { function f($a = \PHP_INT_MAX, $b = 1.0, $c = 1e100, $d = ["a" => 1, 2 => [true, null]], $e = "a\nb\0c", $f = -1, $g = A::class, $h = \E_ALL | 1) {} }
echo new \ReflectionMethod(WithDefaults::class, 'f');
echo new \ReflectionClass('Countable'), new \ReflectionEnum('PropertyHookType'), new \ReflectionClass('Exception');
class Attributed { #[Foo(1, a: [1, 2], b: 'x'), Bar] public function x() {} }
foreach ((new \ReflectionMethod(Attributed::class, 'x'))->getAttributes() as $a) echo $a;
echo new \ReflectionConstant('M_PI');
const ABC = [1];
echo new \ReflectionConstant('N\ABC');
