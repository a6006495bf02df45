<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\HasMany;
use Illuminate\Database\Eloquent\Relations\HasManyThrough;

final class Author extends Model
{
    protected $guarded = [];
    public $timestamps = false;
    protected $casts = ['settings' => 'array', 'born' => 'date:Y-m-d'];

    public function books(): HasMany
    {
        return $this->hasMany(Book::class)->orderBy('title');
    }
}
