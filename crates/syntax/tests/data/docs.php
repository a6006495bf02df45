<?php
/** one */ $x = 1;
function a() {}
/** two */
function b(/** p1 */ $p, /** p2 */ int $q = 1) { /** inner */ return 1; }
function c() {}
/** three */
class A {
  /** const */ const B = 1, /** C */ C = 2;
  /** prop */ public $a, /** b */ $b;
  public $c;
  /** m */
  public function m() { /** x */ }
  function n() {}
  /** hooked */ public $h { /** get */ get => 1; set {} }
  /** use */ use T;
  function o() {}
}
trait T {}
/** x */ ;
class D {}
/** fn */ $f = fn() => 1;
$g = /** fn2 */ function() {};
$h = /** fn3 */ static fn() => 1;
enum E { /** c1 */ case A; case /** c2 */ B; /** m */ const C = 1; }
/** arr */ $arr = [1, 2, /** z */ 3];
function last() {}
/** if */ if (1) { function inif() {} }
/** attr */ #[Foo] function attr1() {}
#[Foo] /** attr2 */ function attr2() {}
/** abs */ abstract class G { /** f */ abstract /** g */ protected /** h */ function i(); public /** vis */ $v; /** t */ public int $t; }
/** a */ /** b */ function two() {}
/* plain */ function plain() {}
$o = /** anon */ new /** anon2 */ class { /** am */ function am() {} };
$arr2 = ['k' => /** clos */ function() {}, 'l' => function() {}];
foreach ([1] as $_) { /** in */ } function afterbrace() {}
/** e */ echo 1; function aftersemi() {}
/** f(**/ strlen('x'); class aftercall {}
