<?php
// A variable that nobody has set is read by the check of the return type, and again.
function f0(): ?string { $z |= $a; return $a; }
f0();
function f1(): ?string { return $a; }
f1();
function f2(): ?string { $a; return $a; }
f2();
function f3(): ?string { $z = $a; return $a; }
f3();
function f4(): ?string { if (isset($a)) return 1; return $a; }
f4();
function f5(): ?string { unset($a); return $a; }
f5();
function f6(): ?string { $b = [$a]; return $a; }
f6();
function f7(): ?string { strlen($a ?? ''); return $a; }
f7();
function f8(): ?string { if ($a == 3) { } return $a; }
f8();
function f9($x): ?string { if ($x) { $a = 1; } return $a; }
f9(0);
function f10($x): ?string { try { $a = g(); } catch (Error) { } return $a; }
f10(0);
function f11($x): ?int { while ($x--) { $b = $a; } return $a; }
f11(0);
function f12($x): ?int { $b .= $a; return $a; }
f12(0);
function f13($x): ?int { $z |= $a; return $z ? $a : 1; }
f13(0);
function f14($x): null { $z |= $a; return $a; }
f14(0);
function f15($x): mixed { $z |= $a; return $a; }
f15(0);
function f16($x): ?string { $z += $a; return $a; }
f16(0);
function f17($x): ?string { $z = $x + $a; return $a; }
f17(0);
function f20(): int { $z = $a; return $a; }
try { f20(); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
