<?php
// 1,000 classes, each in a file of its own, found by an autoloader when they are used: what a framework's request does.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Many\\')) {
        require __DIR__ . '/many/' . strtr(substr($class, 5), '\\', '/') . '.php';
    }
});
$sum = 0;
for ($i = 0; $i < 1000; $i++) {
    $class = 'Many\\G' . intdiv($i, 100) . '\\C' . $i;
    $sum += (new $class($i))->value();
}
echo 'autoload ', $sum, ' ', count(array_filter(get_declared_classes(), fn ($c) => str_starts_with($c, 'Many\\G'))), "\n";
