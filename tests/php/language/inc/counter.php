<?php
static $n = 0;
return ++$n;
