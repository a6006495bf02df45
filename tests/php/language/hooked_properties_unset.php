<?php
// Hooked properties that are not set, where they are listed.
trait T { public bool|int|null $p3 { set => 1; }  public ?int $q { set => 2; } public $r { get => 3; } public int $u { set => 3; } public $v { set => 3; } public $w { set { } } }
class C1 { use T; }
echo json_encode(new class() extends C1 {}), "\n";
echo json_encode(new C1), "\n";
var_dump(new C1); print_r(new C1); var_export(new C1); var_dump(serialize(new C1)); var_dump((array) new C1, get_object_vars(new C1));
class D { public bool|int|null $p3 { set => 1; }  public ?int $q { set => 2; } public $r { get => 3; } public int $u { set => 3; } public $v { set => 3; } public $w { set { } } }
echo json_encode(new D), "\n";
var_dump(new D);
foreach (new D as $k => $v) var_dump($k, $v);
