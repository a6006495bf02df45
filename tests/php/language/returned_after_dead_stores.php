<?php
function bar(array &$a): ?bool { $ret = null; foreach ($a as $key => $val) { if ($val === 2) { unset($a[$key]); } } return $ret; }
function baz($x): ?bool { if ($x) $ret = null; return $ret; }
$a = [1]; var_dump(bar($a), baz(1), baz(0));
