<?php

// What Debian's /usr/bin/phpunit does, without its question for extensions (dom, xml, xmlwriter) that only its XML files need.

define('PHPUNIT_COMPOSER_INSTALL', '/usr/share/php/PHPUnit/Autoload.php');
require PHPUNIT_COMPOSER_INSTALL;

// Called after each test; ext/libxml is not here yet.
if (!function_exists('libxml_clear_errors')) {
    function libxml_clear_errors(): void
    {
    }
}

exit((new PHPUnit\TextUI\Application())->run($_SERVER['argv']));
