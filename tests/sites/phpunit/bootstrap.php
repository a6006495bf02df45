<?php

// Where the classes are: the tested program's in its source tree, all others in Debian's packages. Composer's rules, without Composer's files.

$source = getenv('TESTED_SOURCE');
$prefixes = [
    'Symfony\\Contracts\\' => ['/usr/share/php/Symfony/Contracts'],
    'Symfony\\' => ["$source/src/Symfony", '/usr/share/php/Symfony'],
    'PHPUnit\\TestFixture\\' => [],
    'PHPUnit\\' => ["$source/tests/unit"],
    'Psr\\' => ['/usr/share/php/Psr'],
    'Twig\\' => ['/usr/share/php/Twig'],
    'Monolog\\' => ['/usr/share/php/Monolog'],
    'Doctrine\\' => ['/usr/share/php/Doctrine'],
    'phpDocumentor\\' => ['/usr/share/php/phpDocumentor'],
    'Egulias\\' => ['/usr/share/php/Egulias'],
    'Masterminds\\' => ['/usr/share/php/Masterminds'],
    'League\\' => ['/usr/share/php/League'],
    'Webmozart\\' => ['/usr/share/php/Webmozart'],
    'PHPStan\\' => ['/usr/share/php/PHPStan'],
];
spl_autoload_register(static function (string $class) use ($prefixes): void {
    foreach ($prefixes as $prefix => $folders) {
        if (!str_starts_with($class, $prefix)) {
            continue;
        }
        foreach ($folders as $folder) {
            $file = $folder . '/' . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
            if (is_file($file)) {
                require $file;

                return;
            }
        }
    }
});
require_once '/usr/share/php/Symfony/Contracts/Deprecation/autoload.php';
require_once __DIR__ . '/intl.php';

// Constants of ext/dom and ext/libxml that data providers name; the tests of XML fail under both engines.
foreach (['XML_TEXT_NODE' => 3, 'XML_PI_NODE' => 7, 'XML_COMMENT_NODE' => 8, 'LIBXML_NOBLANKS' => 256, 'LIBXML_NONET' => 2048, 'LIBXML_NOEMPTYTAG' => 4, 'LIBXML_NOERROR' => 32, 'LIBXML_COMPACT' => 65536, 'LIBXML_VERSION' => 20914] as $name => $value) {
    defined($name) || define($name, $value);
}
