<?php
set_error_handler(function ($n, $m, $f, $l) { echo "[$n] $m @$l\n"; return true; });
foreach (["1.5\0", "1.5 ", "1.5a", "1.5,\0", "1e1000", "1.5\0abc", "\0", " 1.5\n\0"] as $s) {
 try { var_dump(1 % ($s . '')); } catch (Error $e) { echo $e->getMessage(), "\n"; }
 try { var_dump(1 | ($s . '')); } catch (Error $e) { echo $e->getMessage(), "\n"; }
 try { var_dump([1,2,3][$s]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
 try { var_dump(intdiv(4, $s)); } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
