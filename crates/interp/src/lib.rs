//! The interpreter: one handler an opcode, one file an opcode family.
