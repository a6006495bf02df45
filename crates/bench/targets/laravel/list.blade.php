<!DOCTYPE html>
<html><head><title>Products</title></head><body>
<nav>@foreach (['about', 'contact', 'terms'] as $name)<a href="{{ route($name) }}">{{ ucfirst($name) }}</a>@if (! $loop->last) | @endif @endforeach</nav>
<h1>Products</h1>
<table>
@forelse ($items as $item)
  <tr class="{{ $loop->odd ? 'odd' : 'even' }}"><td>{{ $loop->iteration }}</td><td><a href="{{ route('item', $item['id']) }}">{{ strtoupper($item['name']) }}</a></td>
  <td>{{ number_format($item['price'], 2) }}</td><td>{{ implode(', ', $item['tags']) }}</td><td>{{ $item['text'] }}</td></tr>
@empty
  <tr><td>none</td></tr>
@endforelse
</table>
</body></html>
