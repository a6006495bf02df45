<?php
// A concrete class with abstract methods left over.
interface I { function a(); function b(); }
abstract class A implements I { abstract protected function c(); }
echo "not reached\n";
class B extends A { function a() {} }
