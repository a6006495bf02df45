<?php
$f = (function () {
    try { throw new Exception("a"); }
    finally { try { yield 1; } finally { echo "inner\n"; } }
})();
var_dump($f->key());
unset($f);
echo "end\n";
