<?php
$all = [];
for ($i = 0; $i < 20000; $i++) { $all[] = $f = new Fiber(function () { Fiber::suspend([str_repeat('x', 100)]); }); $f->start(); }
