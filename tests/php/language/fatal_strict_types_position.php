<?php
echo "first";
declare(strict_types=1);
