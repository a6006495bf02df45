//! The language of php.ini, which `parse_ini_string()` reads too: sections, settings, elements of arrays, quotes, operators,
//! constants and `${variables}` with fallbacks.
//!
//! Names are resolved while reading, through [`Names`]; what a setting means is the caller's affair.

mod parser;
mod scanner;

/// How values are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Everything becomes a string.
    Normal,
    /// Values are taken as they are written, but for quotes around them.
    Raw,
    /// As `Normal`, with null, booleans and numbers as such.
    Typed,
}

/// A value. In the normal mode null and booleans stand for the strings that PHP makes of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Vec<u8>),
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Section(Vec<u8>),
    /// Without a value when there is no `=`.
    Entry { name: Vec<u8>, value: Option<Scalar> },
    /// `name[offset] = value`; an empty offset means the next free one.
    Element { name: Vec<u8>, offset: Vec<u8>, value: Scalar },
}

/// What names stand for.
pub trait Names {
    /// A constant, as a string.
    fn constant(&mut self, name: &[u8]) -> Option<Vec<u8>>;
    /// A setting or a variable of the environment.
    fn variable(&mut self, name: &[u8]) -> Option<Vec<u8>>;
    /// So many bytes have been read. False: that is enough.
    fn read(&mut self, _bytes: usize) -> bool {
        true
    }
    /// Appends to a name or value that is being made. False: there is no memory for it.
    fn append(&mut self, to: &mut Vec<u8>, bytes: &[u8]) -> bool {
        to.extend_from_slice(bytes);
        true
    }
}

/// Why a text cannot be read: PHP's words, without the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub message: String,
    pub line: u32,
}

/// Reads a text. Each statement is handed over as it is found, also those before an error.
pub fn parse(text: &[u8], mode: Mode, names: &mut dyn Names, each: &mut dyn FnMut(Item)) -> Result<(), Error> {
    parser::Parser::new(text, mode, names).run(each)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed;

    impl Names for Fixed {
        fn constant(&mut self, name: &[u8]) -> Option<Vec<u8>> {
            (name == b"ONE").then(|| b"1".to_vec())
        }
        fn variable(&mut self, name: &[u8]) -> Option<Vec<u8>> {
            (name == b"VAR").then(|| b"text".to_vec())
        }
    }

    #[track_caller]
    fn value(text: &str, mode: Mode) -> Result<Scalar, String> {
        let mut found = None;
        let result = parse(format!("a={text}").as_bytes(), mode, &mut Fixed, &mut |item| {
            if let Item::Entry { value, .. } = item {
                found = value;
            }
        });
        result.map(|()| found.unwrap_or(Scalar::Null)).map_err(|e| e.message)
    }

    #[track_caller]
    fn normal(text: &str, wanted: &str) {
        assert_eq!(value(text, Mode::Normal), Ok(Scalar::Str(wanted.into())), "{text}");
    }

    #[test]
    fn strings_and_operators() {
        normal("b ; c", "b");
        normal("\"b\" c", "bc");
        normal("'b' c", "b c");
        normal("x${VAR}y", "xtexty");
        normal("${NONE:-${VAR}x}", "textx");
        normal("1|6&4", "4");
        normal("ONE|2", "3");
        normal("\"a\\\"b\"", "a\"b");
    }

    #[test]
    fn modes() {
        assert_eq!(value("on", Mode::Typed), Ok(Scalar::Bool(true)));
        assert_eq!(value("01", Mode::Typed), Ok(Scalar::Int(1)));
        assert_eq!(value("'b' c", Mode::Raw), Ok(Scalar::Str(b"'b' c".to_vec())));
        assert_eq!(value("\"a;b\" ; c", Mode::Raw), Ok(Scalar::Str(b"a;b".to_vec())));
    }

    #[test]
    fn errors() {
        assert_eq!(value("b=c", Mode::Normal), Err("syntax error, unexpected '='".into()));
        assert_eq!(value("(1", Mode::Normal), Err("syntax error, unexpected END_OF_LINE, expecting '^' or '|' or '&' or ')'".into()));
    }
}
