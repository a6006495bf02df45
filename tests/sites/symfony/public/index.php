<?php

use App\Kernel;
use Symfony\Component\ErrorHandler\Debug;
use Symfony\Component\HttpFoundation\Request;

require dirname(__DIR__) . '/autoload.php';

$debug = 'dev' === ($_SERVER['HTTP_X_ENVIRONMENT'] ?? 'prod');
if ($debug) {
    Debug::enable();
}
$kernel = new Kernel($debug ? 'dev' : 'prod', $debug);
$request = Request::createFromGlobals();
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);
