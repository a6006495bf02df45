<?php
// Without an object $this is refused before anything else of the expression is evaluated.
function told($x) { echo "told $x\n"; return 'a'; }
$uses = ['$this->{told(1)}', '$this->$nothing', '$this->$nothing = 1', '$this->{told(1)} = told(2)', '$this->{told(1)} .= told(2)', '$this->{told(1)}[told(2)] = told(3)',
    '$this->{told(1)}++', '$this->{told(1)}->m(told(2))', '$this->m(told(2))', '$this->{told(1)}(told(2))', 'isset($this->{told(1)})', 'unset($this->{told(1)})',
    '$this[told(1)] = told(2)', '$this[told(1)]', '$x = &$this->{told(1)}', '$this->{told(1)} ?? told(2)', '$this->{told(1)} ??= told(2)', '[$this->{told(1)}] = told(2)',
    'told($this->{told(1)})', '$this->a->{told(1)}', '$this?->{told(1)}'];
foreach ($uses as $use) {
    try { eval("$use;"); } catch (Error $e) { echo "$use: ", $e->getMessage(), "\n"; }
}
class Instead { static function run($use) { try { eval("$use;"); } catch (Error $e) { echo "$use: ", $e->getMessage(), "\n"; } } }
Instead::run('$this->{told(1)}');
