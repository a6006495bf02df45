<?php
// Takes memory for ever: strings, or objects whose state is not in the request's heap. It rests now and then, so that the machine has time to look.
$all = [];
$take = ($_GET['of'] ?? '') === 'natives'
    ? function () { $natives = []; for ($i = 0; $i < 20000; $i++) { $natives[] = new ReflectionMethod('ArrayObject', 'count'); } return $natives; }
    : fn() => str_repeat('x', 8 << 20);
for (;;) {
    $all[] = $take();
    usleep(2000);
}
