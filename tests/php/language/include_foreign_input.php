<?php
// What a client sends is no program, however the stream is spelt, and whatever stands before it.
ini_set('include_path', '.');
$ways = ['php://input', 'PHP://Input', 'php://stdin', 'php://fd/0', 'php://filter/resource=php://input', 'compress.zlib://php://stdin',
    'php://filter/read=string.toupper|string.tolower/resource=PHP://STDIN'];
foreach ($ways as $way) {
    var_dump(include $way, @include_once $way);
}
