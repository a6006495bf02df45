<?php
while (1) { $n = 1; break $n; }
