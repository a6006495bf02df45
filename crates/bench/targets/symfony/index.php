<?php

use App\Kernel;
use Symfony\Component\HttpFoundation\Request;

// Debian's packages bring autoloaders of their own.
require_once dirname(__DIR__) . '/src/InstalledVersions.php';
require_once '/usr/share/php/Symfony/Bundle/FrameworkBundle/autoload.php';
require_once '/usr/share/php/Symfony/Bundle/TwigBundle/autoload.php';
require_once dirname(__DIR__) . '/src/Kernel.php';

$kernel = new Kernel('prod', false);
$request = Request::createFromGlobals();
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);
