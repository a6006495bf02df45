<!DOCTYPE html>
<html><head><title>{{ $item['name'] }}</title></head><body>
<h1>{{ $item['name'] }}</h1>
<p>{!! nl2br(e($item['text'])) !!}</p>
<ul>@foreach (collect($item['tags'])->sort() as $tag)<li>{{ $tag }}</li>@endforeach</ul>
<p>@foreach ($others as $other)<a href="{{ route('item', $other['id']) }}">{{ $other['name'] }}</a> @endforeach</p>
</body></html>
