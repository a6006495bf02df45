<?php
$noreturn = 1;
