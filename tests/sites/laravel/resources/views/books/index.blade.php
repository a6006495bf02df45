@extends('layout')
@section('main')
<table>
@forelse ($books as $book)
  <tr class="{{ $loop->even ? 'even' : 'odd' }}"><td>{{ $book->id }}</td><td><a href="{{ route('books.show', $book) }}">{{ $book->title }}</a></td><td>{{ $book->author->name }}</td><td>{{ $book->genre->name }}</td>
  <td>{{ $book->price }}</td><td>{{ $book->pages ?? '?' }}</td><td>{{ $book->published?->format('j M Y') }}</td><td>{{ $book->tags_count }}: {{ $book->tags->map(fn ($t) => $t->name . $t->pivot->weight)->join(', ', ' and ') }}</td></tr>
@empty
  <tr><td>none</td></tr>
@endforelse
</table>
<p>{{ $books->firstItem() }} to {{ $books->lastItem() }} of {{ $books->total() }}; <a href="{{ $books->nextPageUrl() }}">next</a></p>
{{ $books->links() }}
@endsection
