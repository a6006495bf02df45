<?php

namespace App\Http;

use App\Models\Author;
use App\Models\Book;
use App\Models\Tag;
use Illuminate\Http\RedirectResponse;
use Illuminate\Http\Request;
use Illuminate\Routing\Controller;
use Illuminate\Support\Facades\DB;

final class BookController extends Controller
{
    public function index(Request $request)
    {
        $books = Book::query()
            ->with('author', 'tags')
            ->withCount('tags')
            ->when($request->query('genre'), fn ($query, $genre) => $query->where('genre', $genre))
            ->when($request->boolean('long'), fn ($query) => $query->long())
            ->orderBy($request->query('order', 'id'))
            ->paginate(5)
            ->withQueryString();
        return view('books.index', compact('books'));
    }

    public function create()
    {
        return view('books.edit', ['book' => new Book(['title' => 'A new one'])]);
    }

    public function edit(Book $book)
    {
        return view('books.edit', compact('book'));
    }

    public function show(Book $book)
    {
        return view('books.show', compact('book'));
    }

    public function store(BookRequest $request): RedirectResponse
    {
        $book = DB::transaction(function () use ($request) {
            $book = Book::create($request->safe()->except('tags', 'mail', 'password', 'site', 'cover'));
            foreach ($request->validated('tags', []) as $n => $name) {
                $book->tags()->attach(Tag::firstOrCreate(['name' => $name]), ['weight' => $n]);
            }
            return $book;
        });
        return redirect()->route('books.show', $book)->with('status', "Stored {$book->title}");
    }

    public function update(BookRequest $request, Book $book): RedirectResponse
    {
        $book->fill($request->safe()->only('title', 'genre', 'price', 'pages'));
        $changes = $book->getDirty();
        $book->save();
        return to_route('books.index')->with('status', 'Changed ' . implode(', ', array_keys($changes)))->withCookie(cookie('last', (string) $book->id, 5));
    }

    public function destroy(Book $book): RedirectResponse
    {
        $book->delete();
        return back(fallback: '/books');
    }

    public function statistics()
    {
        return [
            'genres' => Book::query()->selectRaw('genre, count(*) as n, avg(price) as price')->groupBy('genre')->orderBy('genre')->get()->keyBy(fn ($b) => $b->genre->value),
            'authors' => Author::withSum('books', 'pages')->withMax('books', 'price')->has('books', '>=', 2)->orderByDesc('books_sum_pages')->get(),
            'chunks' => tap(collect(), fn ($seen) => Book::query()->chunkById(7, fn ($books) => $seen->push($books->count()))),
            'lazy' => Book::query()->lazy(4)->map->pages->filter()->take(6)->values(),
            'sql' => Book::query()->whereHas('author', fn ($q) => $q->where('name', 'like', 'A%'))->whereJsonContains('facts->colours', 'red')->toRawSql(),
            'json' => Book::query()->where('facts->rating', '>', 3)->pluck('title', 'id'),
            'trashed' => Book::onlyTrashed()->count(),
            'sub' => Book::query()->addSelect(['writer' => Author::select('name')->whereColumn('authors.id', 'books.author_id')->limit(1)])->oldest('id')->first(),
            'union' => DB::table('tags')->select('name')->union(DB::table('authors')->select('name'))->orderBy('name')->limit(4)->pluck('name'),
        ];
    }
}
