<?php
$settings['file'] = ($settings['file'] ?? 0) + 1;
return $settings;
