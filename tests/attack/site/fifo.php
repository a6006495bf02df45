<?php
// Opens the FIFO ?fifo=PATH, ?how=…, whose other side may come much later. Begins to answer before.
$fifo = $_GET['fifo'];
echo "begun\n";
flush();
switch ($_GET['how']) {
    case 'read':
        echo file_get_contents($fifo);
        break;
    case 'fopen':
        $file = fopen($fifo, 'r');
        echo fgets($file);
        break;
    case 'lines':
        echo implode(file($fifo));
        break;
    case 'write':
        echo file_put_contents($fifo, "written\n"), "\n";
        break;
    case 'error_log':
        echo error_log("written\n", 3, $fifo) ? "logged\n" : "failed\n";
        break;
    case 'copy':
        echo copy(__FILE__, $fifo) ? "copied\n" : "failed\n";
        break;
}
