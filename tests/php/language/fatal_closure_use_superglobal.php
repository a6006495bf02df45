<?php
$f = function () use ($GLOBALS) {};
