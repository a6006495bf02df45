<?php
bcpowmod(str_repeat('7', 4000), str_repeat('3', 4000), str_repeat('9', 4000));
bcsqrt('2', 100000);
