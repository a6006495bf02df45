//! What extensions see of the engine: the execution context, function and class descriptors, argument binding, PHP errors, waits.
