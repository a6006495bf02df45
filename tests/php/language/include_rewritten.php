<?php
// A file that the program writes and includes again is read again, also when it was written in the same tick of the clock.
$f = tempnam(sys_get_temp_dir(), 'inc');
for ($i = 0; $i < 3; $i++) { file_put_contents($f, "<?php echo 'longer' . str_repeat('x', $i), ' '; return $i;"); echo include $f, "\n"; }
for ($i = 0; $i < 5; $i++) { file_put_contents($f, "<?php return 'v$i';"); echo include $f, ' '; }
unlink($f); try { echo @include $f, "gone\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
