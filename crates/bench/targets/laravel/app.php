<?php

// The skeleton of an application, without what a shop without users and database does not need.

use Illuminate\Config\Repository;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Http\Kernel as HttpKernelContract;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Foundation\Http\Kernel;
use Illuminate\Support\Facades\Facade;

$app = new Application(dirname(__DIR__));
$app->singleton(HttpKernelContract::class, fn ($app) => new class($app, $app->make('router')) extends Kernel {
    // The configuration is given below, so the step that reads it from files is left out.
    protected $bootstrappers = [
        \Illuminate\Foundation\Bootstrap\HandleExceptions::class,
        \Illuminate\Foundation\Bootstrap\RegisterFacades::class,
        \Illuminate\Foundation\Bootstrap\RegisterProviders::class,
        \Illuminate\Foundation\Bootstrap\BootProviders::class,
    ];
    protected $middleware = [
        \Illuminate\Foundation\Http\Middleware\ValidatePostSize::class,
        \Illuminate\Foundation\Http\Middleware\ConvertEmptyStringsToNull::class,
    ];
});
$app->singleton(ExceptionHandler::class, Handler::class);
$app->instance('config', new Repository([
    'app' => [
        'name' => 'Bench', 'env' => 'production', 'debug' => false, 'url' => 'http://bench.test', 'timezone' => 'UTC', 'locale' => 'en', 'fallback_locale' => 'en',
        'key' => 'base64:' . base64_encode(str_repeat('k', 32)), 'cipher' => 'AES-256-CBC', 'aliases' => Facade::defaultAliases()->toArray(),
        'providers' => [
            \Illuminate\Bus\BusServiceProvider::class,
            \Illuminate\Cache\CacheServiceProvider::class,
            \Illuminate\Filesystem\FilesystemServiceProvider::class,
            \Illuminate\Foundation\Providers\FoundationServiceProvider::class,
            \Illuminate\Pagination\PaginationServiceProvider::class,
            \Illuminate\Pipeline\PipelineServiceProvider::class,
            \Illuminate\Translation\TranslationServiceProvider::class,
            \Illuminate\Validation\ValidationServiceProvider::class,
            \Illuminate\View\ViewServiceProvider::class,
        ],
    ],
    'view' => ['paths' => [dirname(__DIR__) . '/resources/views'], 'compiled' => dirname(__DIR__) . '/storage/framework/views', 'cache' => true],
    'cache' => ['default' => 'array', 'stores' => ['array' => ['driver' => 'array']]],
    'logging' => ['default' => 'null', 'channels' => ['null' => ['driver' => 'monolog', 'handler' => \Monolog\Handler\NullHandler::class]]],
    'filesystems' => ['default' => 'local', 'disks' => ['local' => ['driver' => 'local', 'root' => dirname(__DIR__) . '/storage']]],
]));
$app->detectEnvironment(fn () => 'production');
date_default_timezone_set('UTC');
$app->booted(function () use ($app) {
    require $app->basePath('routes/web.php');
    $app['router']->getRoutes()->refreshNameLookups();
});

return $app;
