//! Operand forms: how a handler gets at an operand whose kind its opcode fixes.

/// Operand forms that specialised instructions know: pointer to the operand's value, (`operand`) the generic operand that the form stands for, and (`to`) the
/// register that is written beside such an operand. The operands of all but `any` are doubled.
macro_rules! any {
    (operand $o:expr) => { $o };
    (to $fp:ident, $o:expr) => { Frame::slot($fp, $o) };
    ($fp:ident, $lits:ident, $o:expr) => { operand::peek($fp, $lits, $o) };
}
macro_rules! reg {
    (operand $o:expr) => { $o / 2 };
    (to $fp:ident, $o:expr) => { Frame::doubled($fp, $o) };
    ($fp:ident, $lits:ident, $o:expr) => { Frame::doubled($fp, $o) };
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
    (operand $o:expr) => { ($o / 2) | jumbo_bytecode::LITERAL };
    ($fp:ident, $lits:ident, $o:expr) => { $lits.byte_add($o as usize * 8) };
}

