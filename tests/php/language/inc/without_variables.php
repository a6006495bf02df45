<?php
include __DIR__ . '/returns_its_own.php';
$GLOBALS['seen'][] = count(get_defined_vars());
