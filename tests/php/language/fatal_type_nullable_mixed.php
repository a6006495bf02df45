<?php
function f(?mixed $x) {}
