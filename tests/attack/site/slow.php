<?php
// In flight for a while: begins to answer at once.
echo "begun\n";
flush();
usleep(700_000);
echo "finished\n";
