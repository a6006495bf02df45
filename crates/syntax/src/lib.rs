//! Lexer, AST and parser of PHP 8.4, with PHP's own syntax errors; knows nothing of values and bytecode.
