<?php
#[Attribute] function f() {}
echo "fine until reflected\n";
