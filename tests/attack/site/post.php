<?php
// The length and the beginning of a field.
$field = $_POST['field'] ?? '';
echo strlen($field), ' ', substr($field, 0, 7), "\n";
