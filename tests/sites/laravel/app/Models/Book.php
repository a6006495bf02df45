<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Casts\Attribute;
use Illuminate\Database\Eloquent\Casts\AsArrayObject;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\BelongsTo;
use Illuminate\Database\Eloquent\Relations\BelongsToMany;
use Illuminate\Database\Eloquent\SoftDeletes;
use Illuminate\Support\Str;

final class Book extends Model
{
    use SoftDeletes;

    protected $fillable = ['title', 'genre', 'price', 'pages', 'published', 'facts', 'author_id'];
    protected $casts = ['genre' => Genre::class, 'price' => 'decimal:2', 'pages' => 'integer', 'published' => 'immutable_date', 'facts' => AsArrayObject::class];
    protected $hidden = ['deleted_at', 'created_at', 'updated_at'];
    protected $appends = ['slug'];
    protected $attributes = ['facts' => '{}'];

    protected static function booted(): void
    {
        self::saving(fn (Book $book) => $book->title = Str::squish($book->title));
        self::deleted(fn (Book $book) => session()->flash('deleted', $book->title));
    }

    public function author(): BelongsTo
    {
        return $this->belongsTo(Author::class)->withDefault(['name' => 'unknown']);
    }

    public function tags(): BelongsToMany
    {
        return $this->belongsToMany(Tag::class)->withPivot('weight')->orderByPivot('weight');
    }

    protected function slug(): Attribute
    {
        return Attribute::get(fn () => Str::slug($this->title));
    }

    public function scopeLong(Builder $query, int $pages = 300): void
    {
        $query->where('pages', '>', $pages);
    }
}
