<?php
// Data after __halt_compiler is reached through __COMPILER_HALT_OFFSET__.
$fp = fopen(__FILE__, 'r');
fseek($fp, __COMPILER_HALT_OFFSET__);
echo json_encode(stream_get_contents($fp)), "\n";
var_dump(defined('__COMPILER_HALT_OFFSET__'));
function declared_before() { return 'callable'; }
echo declared_before(), "\n";
__halt_compiler();raw <?php data() }
line two
