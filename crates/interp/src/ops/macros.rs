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
/// Is the operand an int, in the forms where a literal is one?
macro_rules! is_int {
    (lit $value:ident) => {
        true
    };
    ($form:ident $value:ident) => {
        (*$value).tag == jumbo_value::tag::INT
    };
}
macro_rules! lit {
    (operand $o:expr) => { $o | jumbo_bytecode::LITERAL };
    ($fp:ident, $lits:ident, $o:expr) => { $lits.add($o as usize) };
}

