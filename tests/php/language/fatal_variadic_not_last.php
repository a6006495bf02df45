<?php
function f(...$x, $y) {}
