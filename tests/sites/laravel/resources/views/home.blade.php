@extends('layout')
@push('head')<meta name="x" content="y">@endpush
@section('main')
@parent
<p>Visit {{ $visits }}. @many($visits) Many. @else Few. @endmany</p>
@php
$list = ['a' => 1, 'b' => 2];
$json = ['a' => '<b>', 'n' => [1, 2.5, null]];
@endphp
@foreach ($list as $key => $value)
  @continue($key === 'z')
  {{ $loop->iteration }}/{{ $loop->count }} {{ $key }} = @money($value * 1234.5) @if ($loop->first) first @elseif ($loop->last) last @endif
@endforeach
@for ($i = 0; $i < 3; $i++){{ $i }},@endfor
@while ($i-- > 0) {{ $i }} @break($i === 1) @endwhile
@switch($visits) @case(1) one @break @case(2) two @break @default more @endswitch
@json($json) {{ Js::from(['x' => "it's"]) }} @{{ raw }} @verbatim {{ verbatim }} @endverbatim {!! '<i>raw</i>' !!} {{-- comment --}}
@isset($nothing) set @endisset @empty($nothing) empty @endempty
<x-card title="A card" :size="3" class="wide" data-x="1"><x-slot:foot>The foot</x-slot>Inside</x-card>
@each('item', [1, 2, 3], 'n', 'none')
@include('item', ['n' => 9]) @includeIf('nowhere') @includeWhen($visits > 1, 'item', ['n' => 'when'])
@once once @endonce
@endsection
