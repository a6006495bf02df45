<?php
// Only deprecated: tentative types of internal methods.
class A implements ArrayAccess { function offsetGet($o) {} function offsetSet($o, $v) {} function offsetExists($o) {} function offsetUnset($o) {} }
class B implements IteratorAggregate { #[ReturnTypeWillChange] function getIterator() {} }
echo "ok\n";
