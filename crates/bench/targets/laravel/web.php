<?php

use Illuminate\Http\Request;
use Illuminate\Support\Collection;
use Illuminate\Support\Facades\Route;

/** The shop's products, by number. */
$items = fn (int $from, int $count): Collection => Collection::range($from, $from + $count - 1)->map(fn (int $id) => [
    'id' => $id,
    'name' => "Product $id",
    'price' => ($id * 37 % 1000) / 10,
    'tags' => collect([1, 2, 3])->map(fn (int $n) => 'tag ' . ($id * $n % 11))->all(),
    'text' => str_repeat("About <product> $id & its \"friends\". ", 1 + $id % 4),
]);

Route::get('/', fn () => view('list', ['items' => $items(1, 40)]))->name('home');
Route::get('/item/{id}', function (int $id) use ($items) {
    abort_if($id > 1000, 404);
    return view('item', ['item' => $items($id, 1)->first(), 'others' => $items($id + 1, 5)]);
})->whereNumber('id')->name('item');
Route::get('/api/items', function (Request $request) use ($items) {
    $page = max(1, $request->integer('page', 1));
    return response()->json(['page' => $page, 'items' => $items(($page - 1) * 20 + 1, 20)]);
});
foreach (['about', 'contact', 'terms', 'cart', 'login', 'account', 'orders', 'search'] as $name) {
    Route::get("/$name/{page?}", fn () => view('list', ['items' => $items(1, 40)]))->whereNumber('page')->name($name);
}
