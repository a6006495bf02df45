@extends('layout')
@section('title', $book->title)
@section('main')
<h1>{{ $book->title }} ({{ $book->slug }})</h1>
<pre>{{ $book->toJson(JSON_PRETTY_PRINT) }}</pre>
<p>{{ $book->author->name }}: {{ $book->author->books?->pluck('title')->implode('; ') }}</p>
<form method="post" action="{{ route('books.destroy', $book) }}">@method('DELETE') @csrf</form>
@endsection
