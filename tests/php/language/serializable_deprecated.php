<?php
// Only deprecated.
class A implements Serializable { function serialize() {} function unserialize($x) {} }
echo "ok\n";
