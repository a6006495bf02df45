<?php
echo "the script runs\n";
