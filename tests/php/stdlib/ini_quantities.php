<?php
// ini_parse_quantity: prefixes, multipliers, and what it says about the rest.
foreach (['', ' ', '0', '5', '-5', '+5', ' 12 ', '1k', '1 K', '2M', '1g', '0x1A', '-0x1a', '0o17', '0b101', '0xk', '0 k', '017', '1mb', '1.5M', 'boat', '-', '0z1', '0x', '0x 0', '0b2', '256 then g', '12 q', '9223372036854775807', '9223372036854775808', '9223372036854775807k', "1\t", '1kk'] as $q) { echo json_encode($q), ': '; var_dump(ini_parse_quantity($q)); }
