//! One engine out of the compiler, the runtime and the interpreter; takes the list of extensions.
