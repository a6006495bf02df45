<?php
// A line without a colon has no name: nothing that names of headers mean happens.
header("content-type");
header("status");
header("location");
var_dump(http_response_code());
echo "done\n";
