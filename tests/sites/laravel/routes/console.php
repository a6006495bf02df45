<?php

use App\Models\Author;
use App\Models\Book;
use App\Models\Genre;
use App\Models\Tag;
use Illuminate\Support\Facades\Artisan;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Schema;

Artisan::command('app:fill {count=17 : How many}', function (int $count) {
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
    collect(range(10, $count + 9))->each($work);
    $this->table(['Id', 'Title', 'Tags'], Book::withCount('tags')->limit(4)->get()->map->only('id', 'title', 'tags_count'));
    $this->info("$count books");
})->purpose('Fills the tables');
// What the framework's own commands print needs ext/dom; so the migrator is asked itself.
Artisan::command('app:migrate {--back}', function () {
    $migrator = app('migrator');
    if (!$migrator->repositoryExists()) {
        $migrator->getRepository()->createRepository();
    }
    DB::enableQueryLog();
    $files = $this->option('back') ? $migrator->rollback([database_path('migrations')]) : $migrator->run([database_path('migrations')]);
    $this->line(array_map(basename(...), $files) ?: 'nothing to do');
    foreach (DB::getQueryLog() as $query) {
        $this->comment($query['query'] . ' ' . json_encode($query['bindings']));
    }
    $this->table(['Table', 'Columns'], array_map(fn (string $table) => [$table, implode(', ', Schema::getColumnListing($table))], ['authors', 'books', 'tags', 'book_tag']));
});
Artisan::command('app:ask', function () {
    $name = $this->ask('Name?', 'nobody');
    $this->line("Hello $name, " . ($this->confirm('Sure?') ? 'sure' : 'unsure') . ', ' . $this->choice('Which?', ['a', 'b'], 1));
    $this->warn('Beware');
    $this->error('An error');
    return 4;
});
