<?php
$fromInc = 'set by include';
return ['v' => $v ?? 'no v', 'file' => basename(__FILE__), 'dir' => basename(__DIR__), 'line' => __LINE__];
