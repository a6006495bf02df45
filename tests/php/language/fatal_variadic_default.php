<?php
function f(...$x = []) {}
