<?php
// Comparisons of overriding methods load classes, which may need each other; the order in which they are loaded shows.
spl_autoload_register(function ($class) {
    echo "(load $class)\n";
    switch ($class) {
        case 'A':
            class A { function m(): B {} function n(): B {} }
            break;
        case 'B':
            class B extends A { function m(): X {} function n(): Y {} }
            break;
        case 'X':
            class X extends B {}
            break;
        case 'Y':
            class Y extends B {}
            break;
        case 'P':
            class P { function m(Q $q): P {} }
            break;
        case 'Q':
            class Q extends P { function m(P|R $q): Q {} }
            break;
        case 'R':
            class R {}
            break;
    }
    echo class_exists($class, false) ? "($class is there)\n" : "($class is not there)\n";
});
var_dump(new B instanceof A, new X instanceof B, new Y instanceof A, new Q instanceof P);

class S { function m(): S {} }
try {
    class T extends S { function m(): Missing {} }
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
