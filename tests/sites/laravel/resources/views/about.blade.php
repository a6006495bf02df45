@extends("layout") @section("title", "About") @section("main") {{ $who }} {!! $who !!} @endsection
