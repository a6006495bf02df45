<?php
function f(int $x = 'str') {}
