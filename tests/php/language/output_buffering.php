<?php
// Nested buffers, callbacks, flags, status, implicit flush at end.
ob_start(); echo 'one'; var_dump(ob_get_level()); $x = ob_get_clean(); echo strlen($x), "\n";
ob_start(); echo 'a'; ob_start(); echo 'b'; ob_start(); echo 'c'; ob_end_flush(); $in = ob_get_clean(); ob_end_flush(); echo "|$in\n";
ob_start(fn($b) => strtoupper($b)); echo "upper\n"; ob_end_flush();
ob_start(function ($b, $ph) { $n = []; foreach (['START' => PHP_OUTPUT_HANDLER_START, 'CLEAN' => PHP_OUTPUT_HANDLER_CLEAN, 'FLUSH' => PHP_OUTPUT_HANDLER_FLUSH, 'FINAL' => PHP_OUTPUT_HANDLER_FINAL] as $k => $v) if ($ph & $v) $n[] = $k; return '[' . implode('|', $n) . ':' . trim($b) . ']'; }); echo 'first'; ob_flush(); echo 'second'; ob_clean(); echo 'third'; ob_end_flush(); echo "\n";
ob_start(fn($b) => false); echo "callback returns false: passes through\n"; ob_end_flush(); ob_start(fn($b) => ''); echo 'dropped'; ob_end_flush(); ob_start(fn($b) => null); echo "null?\n"; ob_end_flush(); ob_start(fn($b) => 5); echo 'x'; ob_end_flush(); echo "\n"; ob_start(fn($b) => true); echo "true?\n"; ob_end_flush();
ob_start(null, 4); echo 'ab'; echo 'cdef'; echo 'g'; ob_end_clean(); echo "\n"; ob_start(fn($b) => "<$b>", 3); echo 'xx'; echo 'yy'; echo 'z'; ob_end_flush(); echo "\n";
var_dump(ob_get_clean(), ob_get_contents(), ob_get_length(), ob_get_flush(), ob_end_clean(), ob_end_flush(), ob_flush(), ob_clean(), ob_get_level());
ob_start(null, 0, PHP_OUTPUT_HANDLER_STDFLAGS ^ PHP_OUTPUT_HANDLER_REMOVABLE); echo 'unremovable '; var_dump(ob_end_clean(), ob_get_level()); ob_flush(); ob_start(null, 0, 0); echo 'no flags '; var_dump(@ob_flush(), @ob_clean(), @ob_get_clean());
print_r(array_map(fn($s) => array_intersect_key($s, ['name' => 1, 'level' => 1, 'type' => 1, 'chunk_size' => 1, 'status' => 1, 'flags' => 1]), ob_get_status(true))); print_r(ob_list_handlers());
function cb($b) { return "cb:$b"; } ob_start('cb'); echo 'named '; print_r(ob_list_handlers()); ob_end_flush(); class H { function h($b) { return "h:$b"; } static function s($b) { return "s:$b"; } } ob_start([new H, 'h']); echo 'x'; ob_end_flush(); ob_start('H::s'); echo "y\n"; ob_end_flush(); ob_start('nope'); echo "bad handler\n"; var_dump(ob_get_level());
output_add_rewrite_var('sid', '123'); echo '<a href="x.php?a=1">l</a>', "\n"; output_reset_rewrite_vars(); print_r(1) . print_r([1], true); echo "\n"; $r = var_export([1], true); printf("%s\n", $r); ob_implicit_flush(); $s = highlight_string('<?php echo 1;', true); echo strlen($s) > 10 ? 'hl' : 'no', "\n"; ob_start(fn($b) => "[end:$b]"); echo 'left open at exit';
