<?php
for ($i = 0; $i < 2000; $i++) { eval("class C$i { public \$a = [1, 2]; function f() { return new C$i; } } function f$i() { return C$i::class; }"); }
