{{ $undefined->nothing() }}
