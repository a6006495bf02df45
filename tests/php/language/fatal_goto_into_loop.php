<?php
goto in;
while (0) { in: echo 1; }
