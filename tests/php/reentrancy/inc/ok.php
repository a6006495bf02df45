<?php echo 'ok';
