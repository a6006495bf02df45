<div {{ $attributes->merge(["class" => "card"])->except("data-x") }}><h2>{{ $title }} {{ $size ?? 0 }}</h2>{{ $slot }}@if ($foot ?? null)<footer>{{ $foot }}</footer>@endif</div>
