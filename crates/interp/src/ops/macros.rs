//! Operand forms: how a handler gets at an operand whose kind its opcode fixes.

/// Operand forms that specialised instructions know: pointer to the operand's value, and (`operand`) the generic operand that the form stands for.
macro_rules! any {
    (operand $o:expr) => { $o };
    ($fp:ident, $lits:ident, $o:expr) => { operand::peek($fp, $lits, $o) };
}
macro_rules! reg {
    (operand $o:expr) => { $o };
    ($fp:ident, $lits:ident, $o:expr) => { Frame::slot($fp, $o) };
}
macro_rules! lit {
    (operand $o:expr) => { $o | jumbo_bytecode::LITERAL };
    ($fp:ident, $lits:ident, $o:expr) => { $lits.add($o as usize) };
}

