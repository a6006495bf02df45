//! Class linking, include and autoload, ini, output buffers, streams and resources; knows nothing of HTTP or of any extension.
