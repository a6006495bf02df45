<?php
// The limit of descriptors that a program sees which a script starts.
echo shell_exec('ulimit -Sn');
