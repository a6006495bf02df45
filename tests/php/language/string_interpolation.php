<?php
// Simple and complex syntax in double quotes and heredocs.
$a = 'A'; $arr = ['k' => 'v', 3 => 'three', -2 => 'neg', 'n' => ['m' => 'deep'], 'a b' => 'sp']; $o = new stdClass; $o->p = 'prop'; $o->o = new stdClass; $o->o->q = 'qq'; $o->arr = ['z' => 'zz']; $n = 'a'; $fn = fn($x) => "<$x>";
class K { const C = 'const'; static $s = 'static'; static $arr = ['x' => 'sx']; static function f() { return 'sf'; } function m($x) { return "m($x)"; } public $p = ['d' => ['e' => 'pde']]; } $k = new K;
echo "$a ${a} {$a} \$a \{$a} $ a {a} $", "\n";
echo "$arr[k] $arr[3] $arr[-2] {$arr['k']} {$arr['n']['m']} $arr[n]", "\n";
echo "$o->p {$o->o->q} $o->p[0] {$o->arr['z']} $o->p->x", "\n";
echo "{$fn('call')} {$k->m("nested {$a} \"q\"")} {$k->p['d']['e']} {$arr[strtolower('K')]}", "\n";
echo "${n} ${'a'} ${'a' . ''} {$$n} ${arr['k']}", "\n";
echo "{$k::$s} {$k::$arr['x']}", "\n"; $m = 'm'; echo "{$k->$m(1)} {$k->{'m'}(2)} {$o->{'p'}}", "\n";
echo "esc: \n\t\\ \x41 \101 \u{1F600} \u{e9} \e[0m \v\f \q \8 \400" . '\n \' \\ \x', "\n";
echo "trailing $a", "$a leading", "mid $a mid", "$a$a$a", "{$a}text $a-text $a[0] $a[-1]", "\n";
$i = 3; $key = 'k'; echo "$arr[$i] $arr[$key] {$arr[$i]}\n"; $s = 'string'; echo "$s[0]$s[2] {$s[1]} $s[-1]\n"; $nulls = null; echo "[$nulls] [{$nulls?->x}] $nulls?->y|\n";
echo <<<EOT
  Heredoc $a {$arr['k']} "quotes" 'single' \t|
    indented
  EOT; // the closing mark's indentation is removed

echo "\n", <<<'NOW'
  $not {$parsed} \n
   NOWHERE not here
NOW . '|', "\n";
echo <<<"X"
      deep
     less
    base $a

    after empty
    X;
echo "\n", <<<E
E . "empty heredoc\n"; print(<<<A
a{$fn(<<<B
  inner
  BB
  B)}z

A);
echo "\n"; $f = [<<<ONE
  one
  ONE, <<<TWO
  two
  TWO]; echo json_encode($f), "\n"; echo "nested: {$arr["n"]["m"]} {$o->arr["z"]}", "\n"; echo "$a" . "" . "{$a}" === 'AA' ? 'y' : 'n', "\n"; echo "0x$a 1$a $a{$a}$a->b ?? \r\n"; echo b"binary $a", b'bin', "\n"; printf("%s %%$a %1\$s\n", 'x');
