<?php ini_set('open_basedir', '/tmp:' . __DIR__);
