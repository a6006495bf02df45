<?php
echo "not reached\n";
class A { abstract function f(); }
