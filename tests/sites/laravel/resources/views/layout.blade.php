<!DOCTYPE html>
<html lang="{{ str_replace('_', '-', app()->getLocale()) }}">
<head><title>@yield('title', config('app.name'))</title>@stack('head')</head>
<body>
<nav>@foreach (['home', 'books.index', 'about'] as $name)<a href="{{ route($name) }}" @class(['link', 'here' => request()->routeIs($name)])>{{ Str::headline($name) }}</a>@unless ($loop->last) | @endunless @endforeach</nav>
@session('status')<p class="status">{{ $value }}</p>@endsession
@if (session()->has('deleted'))<p>{{ session('deleted') }} is gone</p>@endif
@section('main')
<p>default</p>
@show
</body>
</html>
