<?php
// A function with more literals than an operand can name: they come through temporaries, beside other temporaries.
$code = "\$a = 'x'; \$n = [];\n";
for ($i = 0; $i < 40000; $i++) {
    $code .= "\$n[] = $i.5;";
}
$code .= "function id(\$v) { return \$v; }\n";
$code .= '$out = [id($a) . "tail one", id(5) + 700001, id(5) - 700002, id("k") === "tail two", id([700003 => "in"])[700003] . "tail three"];';
$code .= '$out[] = (id(3) * 700004) + (id(4) * 700005);';
$code .= '$out[] = id(id(7) + 700006) + id(id(8) + 700007);';
$code .= '$out["tail key"][id("x") . "tail four"] = id(9) + 700008;';
$code .= 'return [$out, count($n), $n[39999]];';
echo json_encode(eval($code)), "\n";
