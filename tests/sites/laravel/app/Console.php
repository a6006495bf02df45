<?php

namespace App;

use Illuminate\Foundation\Console\Kernel;

final class Console extends Kernel
{
    protected $bootstrappers = [
        \Illuminate\Foundation\Bootstrap\LoadConfiguration::class,
        \Illuminate\Foundation\Bootstrap\HandleExceptions::class,
        \Illuminate\Foundation\Bootstrap\RegisterFacades::class,
        \Illuminate\Foundation\Bootstrap\SetRequestForConsole::class,
        \Illuminate\Foundation\Bootstrap\RegisterProviders::class,
        \Illuminate\Foundation\Bootstrap\BootProviders::class,
    ];

    protected function commands(): void
    {
        require base_path('routes/console.php');
    }
}
