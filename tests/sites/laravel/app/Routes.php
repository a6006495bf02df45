<?php

namespace App;

use Illuminate\Foundation\Support\Providers\RouteServiceProvider;
use Illuminate\Support\Facades\Blade;
use Illuminate\Support\Facades\Route;

final class Routes extends RouteServiceProvider
{
    public function boot(): void
    {
        $this->routes(function () {
            Route::middleware('web')->group(base_path('routes/web.php'));
            Route::middleware('api')->prefix('api')->group(base_path('routes/api.php'));
        });
        Blade::directive('money', fn (string $expression) => "<?php echo number_format($expression, 2, ',', '.') . ' €'; ?>");
        Blade::if('many', fn (int $n) => $n > 3);
    }
}
