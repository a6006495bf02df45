<li>{{ $n }}</li>
