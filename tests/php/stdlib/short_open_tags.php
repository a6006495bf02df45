<?php
// `<?` opens PHP code when `short_open_tag` says so, which the tests' settings deny.
var_dump(ini_get('short_open_tag'));
$file = tempnam(sys_get_temp_dir(), 'tag');
file_put_contents($file, "<? echo 'short'; ?>\n<?xml version='1.0'?>\n<?= 'echo' ?>\n<?php echo 'long' ?>\n<?phpx ?>\n");
include $file;
foreach (token_get_all('<? echo 1 ?><?= 2 ?>') as $token) {
    echo is_array($token) ? token_name($token[0]) . ' ' . json_encode($token[1]) : $token, "\n";
}
unlink($file);
