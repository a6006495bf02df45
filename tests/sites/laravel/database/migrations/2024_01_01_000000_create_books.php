<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class extends Migration {
    public function up(): void
    {
        Schema::create('authors', function (Blueprint $table) {
            $table->id();
            $table->string('name')->unique();
            $table->json('settings')->nullable();
            $table->date('born')->nullable();
        });
        Schema::create('books', function (Blueprint $table) {
            $table->id();
            $table->foreignId('author_id')->nullable()->constrained()->nullOnDelete();
            $table->string('title', 60)->index();
            $table->enum('genre', ['novel', 'poetry', 'science']);
            $table->decimal('price', 6, 2)->default(0);
            $table->unsignedInteger('pages')->nullable();
            $table->date('published')->nullable();
            $table->json('facts');
            $table->timestamps();
            $table->softDeletes();
        });
        Schema::create('tags', function (Blueprint $table) {
            $table->id();
            $table->string('name');
        });
        Schema::create('book_tag', function (Blueprint $table) {
            $table->foreignId('book_id')->constrained()->cascadeOnDelete();
            $table->foreignId('tag_id')->constrained();
            $table->integer('weight')->default(0);
            $table->primary(['book_id', 'tag_id']);
        });
    }

    public function down(): void
    {
        foreach (['book_tag', 'tags', 'books', 'authors'] as $table) {
            Schema::dropIfExists($table);
        }
    }
};
