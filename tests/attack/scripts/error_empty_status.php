<?php
// An empty answer on purpose stays empty.
// expect: 500
// header: Content-Length: 0
http_response_code(500);
