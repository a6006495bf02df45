<?php
$fromFile = 'file';
$GLOBALS['inGlobals'] = 'g';
$inGlobals2 = '';
