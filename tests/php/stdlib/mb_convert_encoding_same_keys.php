<?php
var_dump(mb_convert_encoding(['b' => 1, 'a' => -2, 5 => 'x'], 'ISO-8859-1', 'UTF-16BE'));
