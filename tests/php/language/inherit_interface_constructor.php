<?php
interface Made { function __construct(int $a); }
class M implements Made { function __construct(int|string $a, $b = 1) {} }
class N extends M { function __construct(int $a) { echo "made $a\n"; } }
new N(1);
class O extends N { function __construct(string $a) {} }
