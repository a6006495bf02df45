<?php
include __DIR__ . '/returns_variable.php';
$GLOBALS['seen'][] = count(get_defined_vars());
