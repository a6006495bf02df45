<?php
$fromk = ($local ?? 'none') . 'k';
return $fromk;
