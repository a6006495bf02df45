@extends('layout')
@section('main')
@if ($errors->any())<ul class="errors">@foreach ($errors->all() as $error)<li>{{ $error }}</li>@endforeach</ul>@endif
<form method="post" action="{{ $book->exists ? route('books.update', $book) : route('books.store') }}">
@if ($book->exists) @method('PUT') @endif
@csrf
<input name="title" value="{{ old('title', $book->title) }}" @error('title') class="wrong" title="{{ $message }}" @enderror>
<select name="genre">@foreach (App\Models\Genre::cases() as $genre)<option value="{{ $genre->value }}" @selected(old('genre', $book->genre?->value) === $genre->value)>{{ $genre->name }}</option>@endforeach</select>
<input name="price" value="{{ old('price', $book->price) }}"><input name="pages" value="{{ old('pages', $book->pages) }}">
<input type="checkbox" name="flag" @checked(old('flag')) @disabled(false) @required(true)>
</form>
@endsection
