//! AST to bytecode: name resolution, constant folding, code generation; knows nothing of the interpreter.
