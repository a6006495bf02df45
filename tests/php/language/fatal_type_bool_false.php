<?php
function f(bool|false $x) {}
