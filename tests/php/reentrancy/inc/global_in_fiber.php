<?php
// Of memory_limit_globals.php.
$GLOBALS['included'] = [1, 2];
