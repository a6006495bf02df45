<?php
echo "reached\n";
class A implements Throwable {}
