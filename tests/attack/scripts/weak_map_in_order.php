<?php
// Entries of a WeakMap go in the order of insertion; a key that lives on remembers no map that has gone.
// options: -d memory_limit=1G
// expect: 200
// body: 0 0
$map = new WeakMap;
for ($i = 0; $i < 100000; $i++) $map[$objects[] = new stdClass] = $i;
foreach ($objects as $i => $object) { unset($objects[$i], $object); }
$key = new stdClass;
echo count($map), ' ';
for ($i = 0; $i < 100000; $i++) { $map = new WeakMap; $map[$key] = 1; unset($map[$key]); }
echo count($map);
