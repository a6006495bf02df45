<?php
// A builtin that never ends, with callbacks in PHP.
// options: --terminate-after-ms 500
// expect: 500
// log: a request took longer than 500 ms and was ended
$endless = (function () {
    for (;;) {
        yield 1;
    }
})();
iterator_apply($endless, fn() => true);
