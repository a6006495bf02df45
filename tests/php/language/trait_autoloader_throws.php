<?php
// An exception of an autoloader while a trait is fetched cannot be caught; for parents and interfaces it can.
spl_autoload_register(function ($name) {
    echo "load $name\n";
    throw new Exception("no $name");
});
register_shutdown_function(function () {
    echo "shutdown\n";
});
try {
    class Child extends ParentClass {}
} catch (Exception $e) {
    echo 'caught: ', $e->getMessage(), "\n";
}
try {
    class Implementation implements Face {}
} catch (Exception $e) {
    echo 'caught: ', $e->getMessage(), "\n";
}
try {
    $object = new class {
        use Feature;
    };
} catch (Exception $e) {
    echo "not here\n";
} finally {
    echo "nor here\n";
}
echo "never\n";
