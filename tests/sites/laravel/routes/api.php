<?php

use App\Http\BookController;
use App\Http\BookRequest;
use App\Models\Book;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;

Route::get('/books', fn (Request $request) => Book::with('author:id,name', 'tags')->orderBy('id')->simplePaginate($request->integer('size', 3)));
Route::get('/books/{book:title}', fn (Book $book) => $book->loadMissing('author.books')->loadCount('tags'));
Route::post('/books', fn (BookRequest $request) => response()->json($request->validated(), 201));
Route::get('/statistics', [BookController::class, 'statistics']);
Route::get('/collections', fn () => [
    'groups' => Book::all()->groupBy(fn ($b) => $b->genre->value)->map->count()->sortDesc(),
    'partition' => collect(range(1, 10))->partition(fn ($n) => $n % 3 === 0)->map->values(),
    'chunks' => collect('abcdefg')->flatMap(fn ($s) => str_split($s))->chunk(3)->map->implode(''),
    'sums' => collect([['a' => 1, 'b' => ['c' => 2]], ['a' => 3, 'b' => ['c' => 4]]])->pipe(fn ($c) => [$c->sum('a'), $c->avg('b.c'), $c->pluck('b.c', 'a'), $c->where('a', '>', 1)->first()]),
    'lazy' => Illuminate\Support\LazyCollection::times(1000)->filter(fn ($n) => $n % 7 === 0)->skip(2)->take(3)->values(),
    'strings' => [Str::of('Grüße aus Köln')->slug('_')->upper()->value(), Str::plural('child', 2), Str::camel('foo_bar-baz'), Str::limit('A long sentence', 6), Str::mask('secret', '*', 2),
        Str::markdown('# Hi *there*'), Str::excerpt('one two three four', 'three', ['radius' => 4]), Str::ulid() instanceof Stringable, Str::is('a*c', 'abbc'), __('validation.min.string', ['attribute' => 'x', 'min' => 3]),
        trans_choice('{0} none|{1} one|[2,*] :count many', 5), Arr::dot(['a' => ['b' => 1]]), data_get(['x' => [['y' => 1], ['y' => 2]]], 'x.*.y'), head([7]), class_basename(Book::class), e('<a>')],
    'dates' => [now()->setDateTime(2024, 2, 29, 12, 0)->addMonthsNoOverflow(12)->toIso8601String(), Illuminate\Support\Carbon::parse('2024-01-01')->diffForHumans('2024-03-05'), Illuminate\Support\Carbon::create(2024, 5, 6)->isoFormat('dddd, MMMM Do YYYY'), Carbon\CarbonPeriod::create('2024-01-01', '3 days', '2024-01-10')->count()],
]);
