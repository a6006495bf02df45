<?php

// Debian's packages bring autoloaders of their own.
require_once __DIR__ . '/src/InstalledVersions.php';
require_once '/w/intl.php';
foreach (['Bundle/FrameworkBundle', 'Bundle/TwigBundle', 'Bridge/Twig', 'Component/Cache', 'Component/Console', 'Component/Form', 'Component/PropertyInfo',
    'Component/Security/Csrf', 'Component/Serializer', 'Component/Translation', 'Component/Validator', 'Component/Yaml', 'Component/Clock', 'Component/Stopwatch',
    'Component/ExpressionLanguage', 'Component/Asset'] as $part) {
    require_once "/usr/share/php/Symfony/$part/autoload.php";
}
// A class whose name no autoloader finds: Composer loads its file at the start.
require_once '/usr/share/php/Symfony/Component/Cache/Traits/ValueWrapper.php';
require_once '/usr/share/php/Doctrine/DBAL/autoload.php';
require_once '/usr/share/php/Egulias/EmailValidator/autoload.php';
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'App\\') && is_file($file = __DIR__ . '/src/' . strtr(substr($class, 4), '\\', '/') . '.php')) {
        require $file;
    }
});
