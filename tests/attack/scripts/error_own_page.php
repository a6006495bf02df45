<?php
// A script that prints its own page of failure keeps it, also when it fails once more behind it.
// expect: 500
// body: my own page
// no body: under the number
register_shutdown_function(function () {
    echo "my own page\n";
});
http_response_code(500);
throw new Exception('secret');
