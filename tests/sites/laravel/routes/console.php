<?php

use App\Models\Author;
use App\Models\Book;
use App\Models\Genre;
use App\Models\Tag;
use Illuminate\Support\Facades\Artisan;

Artisan::command('app:fill {count=17 : How many} {--quietly}', function (int $count) {
    foreach (['Anna', 'Bértil', 'Chen', 'Ahmed'] as $n => $name) {
        Author::create(['name' => $name, 'settings' => ['n' => $n, 'list' => [1, $n]], 'born' => "19{$n}0-03-0" . ($n + 1)]);
    }
    $tags = collect(['red', 'green', 'blue'])->map(fn ($name) => Tag::create(compact('name')));
    $work = function (int $n) use ($tags) {
        $book = Book::create([
            'title' => ['The  <First>', 'Zwölf', 'A "quoted"', 'Überall'][$n % 4] . " $n", 'genre' => Genre::cases()[$n % 3], 'price' => $n * 7.25, 'pages' => $n % 5 ? 100 * ($n % 7) : null,
            'published' => $n % 2 ? "20$n" . "0-01-02" : null, 'author_id' => $n % 5 ?: null, 'facts' => ['rating' => $n % 6, 'colours' => $n % 2 ? ['red'] : []],
        ]);
        $book->tags()->sync($tags->take($n % 4)->mapWithKeys(fn ($t, $k) => [$t->id => ['weight' => 3 - $k]]));
    };
    $this->option('quietly') ? collect(range(10, $count + 9))->each($work) : $this->withProgressBar(range(10, $count + 9), $work);
    $this->newLine();
    $this->table(['Id', 'Title', 'Tags'], Book::withCount('tags')->limit(4)->get()->map->only('id', 'title', 'tags_count'));
    $this->components->info("$count books");
    $this->components->twoColumnDetail('First', 'Second');
    $this->components->bulletList(['one', 'two']);
    $this->components->task('A task', fn () => true);
})->purpose('Fills the tables');
Artisan::command('app:ask', function () {
    $name = $this->ask('Name?', 'nobody');
    $this->line("Hello $name, " . ($this->confirm('Sure?') ? 'sure' : 'unsure') . ', ' . $this->choice('Which?', ['a', 'b'], 1));
    $this->warn('Beware');
    $this->error('An error');
    return 4;
});
