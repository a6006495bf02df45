<?php
enum E: string { case A = 5; }
echo "found when the case is used\n";
try { var_dump(E::A); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
var_dump(E::from('5'));
