<?php
// Lines of the parts of places, of computed constants and joined literals, and of calls of values.
function at(string $code): void {
    // `~` for the ends of lines.
    echo strtr($code, "\n", '~'), ' => ';
    ob_start();
    try {
        eval("\n$code;\n");
    } catch (Error $e) {
        echo $e->getMessage(), ' on line ', $e->getLine(), "\n";
    }
    preg_match_all('/(?:Warning: (.{20}))?.*on line (\d+)/', ob_get_clean(), $found, PREG_SET_ORDER);
    echo implode('; ', array_map(fn($m) => trim("$m[1] $m[2]"), $found)), "\n";
}
foreach (["[1]\n*\n(1\n.\n'a'\n)", "[1]\n*\n(1\n.\n'a'\n.\n'b'\n)","[1]\n*\n(\n1\n.\n'a'\n.\n\$b\n)","[1]\n*\n1\n.\n'a'\n", "\$u[1\n.\n'a'\n]", "[1]*(\n('a'\n)\n.\n('b'\n)\n)", "[1]*(\n('a'\n)\n.\n('b'\n)\n)", "[1]*(\n('a'\n)\n+\n('b'\n)\n)", "[1]*(\n('a'\n)\n<=\n('b'\n)\n)",
 "\$x->a\n->b\n->c", "\$x\n->a[1]\n->b", "\$x['a']\n[1]\n[2]", "\$x->a\n->b\n->c()", "\$x->a[1]\n->b\n->c = 2", "\$GLOBALS['zz'] = function() {\n} + [1]", "\$zz = function() {\n} + [1]", "[1] + (\$GLOBALS['zz'] = function() {\n})", "[1] + (\$zz = function() {\n})","[1] + (\${'zz'} = function() {\n})","[1] + (\${'z'.\$q} = function() {\n})", "[1] + (\$q[1] = function() {\n})","[1] + (\$GLOBALS['a']\n[1] = function() {\n})"] as $code) {
    at($code);
}
// What PHP computes while it looks for a jump table has the line of the subject; concatenated literals are one where they end.
foreach (["[1] * null", "\$u * null", "\$u % null", "\$u[null]", "\$u[1 . 'a']", "\$u[1+1]","\$u[(1+1)]", "\$u->p[1+1]", "[1] * (1+1)", "[1] * (1 . 'a')", "[1] * ('a' . 'a')", "[1] * ((1+2) . 'a')", "[1] * PHP_INT_MAX", 
   "[1] * -1", "[1] * !1", "[1] * (true && false)", "[1] * (true ? 1 : 2)", "null * [1]", "(1+1) * [1]", "(1 . 'a') * \$u", "(1+1) * \$u", "1 * ('1'.'a')", "1 * ['a'][0]", "[1]*['a'][0]", "\$u[['a'][0]]", "-('1'.'a')", "-\$u[1+1]", "~[1+1]", "~null", "-('a'.'b')", "\$u[\n1\n+\n1\n]", "\$u\n*\n1\n+\n[1]", "\$u\n*\n(1\n+\n1)", "\$u\n.\n(1\n+\n1)","\$u\n<\n(1\n+\n1)","\$u\n&&\n(1\n+\n1)", "strlen(\$u, 1+1)", "\n\n[1]\n*\n(1\n+\n1)",
   "\n\n[1]\n*\n(1\n+\n1)", "\n\n(1\n+\n1)\n*\n\$u", "(1\n.\n'a')\n*\n1", "1\n*\n(1\n.\n'a')", "1\n*\n(1\n.\n'a')\n*\n1", "'a'\n*\n\$u->\np", "null\n->\np", "\$u->\np\n[1]", "\$u->\np\n[null]", "\$u->\np\n[1+1]", "\$u->\np[\n1][\n1+1]", "\$u->\np[\n1+1][\n1]", "\$u\n[1+1]\n->\np"] as $code) {
    at("switch (7)\n{\ncase\n9:\ncase\n$code:\n}");
}
// A call of a value has the line of its parenthesis.
class C {
    function m2() { throw new Error('m2'); }
    static function s() { throw new Error('s'); }
    function __invoke() { throw new Error('i'); }
}
function t9($a = 1) { throw new Error('t9'); }
function &w() { static $x = ['a' => 't9']; return $x; }
function called(string $code): void {
    echo strtr($code, "\n", '~'), ' => ';
    try {
        eval("\n$code;\n");
    } catch (Error $e) {
        echo $e->getTrace()[0]['line'];
    }
    echo "\n";
}
foreach (["\$x = ([new class() extends C {\n}, 'm2'])()", "\$x = ([new class(\n) extends C {\n\n}, \n'm2'])()",  "\$x = ([new C(\n), 'm2'])()",  "\$x = (['C',\n's'])()", "\$x = ([\n'C',\n's'])()", "\$x = ([\nnew C,\n'm2'])()", "\$x = ([\nnew C,\n'm2'\n]\n)\n(\n)", "\$x = (new class extends C {\n\n})()", "\$x = (\nnew class extends C {\n\n})()", "\$x = (function() { throw new Error('a');\n\n})()", "\$x = (\nfunction()\n { throw new Error('a');\n\n})()", "\$x = (fn() =>\n throw new Error('a'))()", "\$x = (new class extends C {\n\n})->m2()", "\$x = (new class extends C {\n\n})\n->m2()", "\$x = (new class extends C {\n\n})\n::s()", "\$x = [new class extends C {\n\n}, 'm2']()", "\$x = [1 => 'm2', 0 => new class extends C {\n\n}]()", "\$x = [function() {\n}, [new class extends C {\n}, 'm2']][1]()", "\$x = [[\nnew class extends C {\n}, 'm2'], 1][0]()",  "\$x = [[\n'C', 's'], new class {\n}, 2][0]()", "\$x = (1 ? [new class extends C {\n}, 'm2'] : 2)()", "\$x = (\$y = [new class extends C {\n}, 'm2'])()", "\$x = (\$y ?? [new class extends C {\n}, 'm2'])()", "\$q = 't9'; \$q\n(\n1)", "\$q = 't9'; 1 + \$q\n(\n1)", "\$q = 't9'; \$q\n(1) + \$z", "'t9'\n(\n1)", "w()\n['a']\n(\n1)", "\$q = 'w'; \$q\n()['b']\n['c'] + []", "t9\n(\n1)", "\$q = 'w'; [] + \$q\n()['a']\n", "\$q = 'w'; \$q\n()['a']\n(2)"] as $code) {
    called($code);
}
