<?php
// A builtin that computes, on the only executor there is: files and the health check are served meanwhile.
// options: --executors 1 --health-path /health
// beside: /site/alive.txt
// beside: /health
// expect: 200
// body: matched
preg_match('/a(?=.*b)/s', str_repeat('a', 60_000));
echo "matched\n";
