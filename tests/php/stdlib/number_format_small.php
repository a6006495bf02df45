<?php
foreach ([5e-324, 1.5, 1e-10, 1/3, 1e300, 123456789.987654321, 0.1] as $f) foreach ([10, 17, 20, 50, 330, 400, 1000] as $d) { echo $f, ' ', $d, ' ', md5(number_format($f, $d)), ' ', strlen(number_format($f, $d)), ' ', rtrim(substr(number_format($f, $d), 0, 420), '0'), "\n"; }
