<?php
for (;;) { echo str_repeat('x', 100000); }
