<?php
echo "reached\n";
class A extends A {}
