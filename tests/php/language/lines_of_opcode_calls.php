<?php
// Lines of calls that PHP makes as opcodes, and numbers of objects during iterations of hooked properties.
class C0 { public $q = 1; public $p2 { get => 5; } }
class D0 { public $q = 1; }
foreach (['C0','D0'] as $c) {
$o = new $c;
foreach ($o as $v) { $x = new stdClass; var_dump(spl_object_id($x)); break; }
foreach (new $c as $v) { $x = new stdClass; var_dump(spl_object_id($x)); break; }
if ($c == 'D0') foreach ($o as &$v) { $x = new stdClass; var_dump(spl_object_id($x)); break; }
$a = [...(array)$o];
$n = new stdClass; var_dump(spl_object_id($n));
$n2 = new stdClass; var_dump(spl_object_id($n2));
}
function t($x) { throw new Exception("a"); }
try { call_user_func('t',
 1,
 2); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
try { call_user_func(
 't',
 function() {

 },
 $e
 ); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
try { call_user_func_array(
 't',
 [
   5,
   $e,
 ]
 ); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
try { $args = [1]; call_user_func_array(
 't',
 $args,
 ); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
try { call_user_func(
 't',
 ); } catch (Error $e) { echo $e->getTraceAsString(), "\n"; }
try { call_user_func(
 function() {

   throw new Exception("b");
 }
 ); } catch (Exception $e) { echo $e->getTraceAsString(), "\n"; }
