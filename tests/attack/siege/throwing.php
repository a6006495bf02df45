<?php
function f() { try { throw new Exception(str_repeat('x', 1000)); } finally { throw new Error('y'); } }
for ($i = 0; $i < 100000; $i++) { try { f(); } catch (Error $e) { $last = $e; } }
throw $last;
