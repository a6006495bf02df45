//! The opcode table, the unit format, the disassembler and the verifier; knows nothing of how an opcode is executed.
