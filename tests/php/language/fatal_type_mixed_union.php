<?php
function f(mixed|int $x) {}
