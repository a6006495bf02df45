//! PHP values, strings, arrays, object headers, references, the request heap and the cycle collector; knows nothing of what classes mean, or of I/O.
