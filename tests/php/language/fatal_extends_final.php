<?php
echo "before\n";
final class A {}
if (true) { class B extends A {} }
