<?php
class A {}
echo "not reached\n";
class a {}
