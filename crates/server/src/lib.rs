//! The application server: executors, HTTP, static files, limits, metrics.
