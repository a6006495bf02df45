<?php

use App\Http\BookController;
use App\Models\Book;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Route;

Route::get('/', function (Request $request) {
    $request->session()->increment('visits');
    return view('home', ['visits' => session('visits')]);
})->name('home');
Route::resource('books', BookController::class);
Route::view('/about', 'about', ['who' => '<b>us</b>'])->name('about');
Route::redirect('/old', '/about', 301);
Route::get('/cached', fn () => Cache::remember('count', 60, fn () => Book::count()) . ' ' . Cache::increment('hits') . ' ' . Cache::get('nothing', 'default'));
Route::get('/download', fn () => response()->download(__FILE__, 'routes.php', ['Content-Type' => 'text/plain']));
Route::get('/streamed', fn () => response()->streamDownload(fn () => print "streamed\n", 's.txt'));
Route::get('/number/{n}/{rest?}', fn (int $n, string $rest = 'none') => [$n, $rest, route('home'), url('/x?y=1'), action([BookController::class, 'index'])])
    ->whereNumber('n')->where('rest', '.*')->name('number');
Route::get('/fail/{kind}', fn (string $kind) => match ($kind) {
    'abort' => abort(418, 'A teapot'),
    'divide' => 1 % 0,
    'model' => Book::findOrFail(999),
    'sql' => DB::select('select nothing from nowhere'),
    'view' => view('broken'),
    'unavailable' => abort(503, headers: ['Retry-After' => '10']),
    default => throw new DomainException($kind),
});
Route::fallback(fn () => response('Fallback', 404));
