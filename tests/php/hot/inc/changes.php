<?php
$GLOBALS['s'] += 5000000;
$GLOBALS['arr'][800] = '7';
