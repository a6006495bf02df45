<?php
// Opens as many files as it is told.
$files = [];
for ($n = 0; $n < (int) $_GET['n']; $n++) {
    $file = fopen('/dev/null', 'r');
    if ($file === false) {
        http_response_code(500);
        exit("only $n files\n");
    }
    $files[] = $file;
}
echo "opened\n";
