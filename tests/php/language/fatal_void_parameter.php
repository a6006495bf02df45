<?php
function f(void $x) {}
