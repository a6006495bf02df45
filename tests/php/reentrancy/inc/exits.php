<?php
echo "included\n";
exit(3);
