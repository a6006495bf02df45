<?php

use Illuminate\Support\Facades\Facade;
use Illuminate\Support\ServiceProvider;

return [
    'name' => 'Books', 'env' => 'production', 'debug' => false, 'url' => 'http://site.test', 'timezone' => 'UTC', 'locale' => 'en', 'fallback_locale' => 'en',
    'key' => 'base64:' . base64_encode(str_repeat('k', 32)), 'cipher' => 'AES-256-CBC', 'maintenance' => ['driver' => 'file'],
    'providers' => ServiceProvider::defaultProviders()->except([
        Illuminate\Broadcasting\BroadcastServiceProvider::class, Illuminate\Redis\RedisServiceProvider::class, Illuminate\Mail\MailServiceProvider::class,
        Illuminate\Notifications\NotificationServiceProvider::class,
    ])->merge([App\Routes::class])->toArray(),
    'aliases' => Facade::defaultAliases()->toArray(),
];
