<?php
trait A { function f() {} }
class C { use A { nope as g; } }
