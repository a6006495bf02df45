<?php
echo 'x';
yield 1;
