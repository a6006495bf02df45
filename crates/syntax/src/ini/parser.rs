//! The grammar of ini texts.

use super::scanner::{Scanner, Token};
use super::{Error, Item, Mode, Names, Scalar};

/// Fallbacks and parentheses nest at most this deep; PHP's own parser has a limit in this region too.
const DEPTH_MAX: u32 = 1_000;

pub struct Parser<'a> {
    scanner: Scanner<'a>,
    mode: Mode,
    names: &'a mut dyn Names,
    depth: u32,
}

type Parsed<T> = Result<T, Error>;

/// The value of an expression, and whether it may become a number.
struct Value {
    text: Vec<u8>,
    numeric: bool,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a [u8], mode: Mode, names: &'a mut dyn Names) -> Parser<'a> {
        Parser { scanner: Scanner::new(text), mode, names, depth: 0 }
    }

    fn unexpected<T>(&self, what: &str, expecting: &str) -> Parsed<T> {
        let expecting = if expecting.is_empty() { String::new() } else { format!(", expecting {expecting}") };
        Err(Error { message: format!("syntax error, unexpected {what}{expecting}"), line: self.scanner.line })
    }

    /// For those who are not asked what went wrong: they know.
    fn given_up(&self) -> Error {
        Error { message: "memory exhausted".into(), line: self.scanner.line }
    }

    fn append(&mut self, to: &mut Vec<u8>, bytes: &[u8]) -> Parsed<()> {
        if self.names.append(to, bytes) { Ok(()) } else { Err(self.given_up()) }
    }

    fn owned(&mut self, bytes: &[u8]) -> Parsed<Vec<u8>> {
        let mut out = Vec::new();
        self.append(&mut out, bytes)?;
        Ok(out)
    }

    pub fn run(mut self, each: &mut dyn FnMut(Item)) -> Parsed<()> {
        let mut before = 0;
        loop {
            let at = self.scanner.position();
            if !self.names.read(at - before) {
                return Err(self.given_up());
            }
            before = at;
            // A word that is reserved (`true`, `null`) is a label all the same behind spaces: they begin a longer label. A tab does not.
            let blanks = self.scanner.skip_blanks();
            let indented = !blanks.is_empty() && blanks.iter().all(|b| *b == b' ');
            let Some(byte) = self.scanner.peek() else { return Ok(()) };
            match byte {
                b'\n' | b'\r' => {
                    self.scanner.newline();
                }
                b';' => {
                    self.scanner.comment();
                }
                b'[' => {
                    self.scanner.eat(b'[');
                    each(Item::Section(self.section()?));
                }
                _ => {
                    if let Some(item) = self.statement(byte, indented)? {
                        each(item);
                    }
                }
            }
        }
    }

    fn statement(&mut self, first: u8, indented: bool) -> Parsed<Option<Item>> {
        let label = self.scanner.label();
        if label.is_empty() {
            return self.unexpected(&format!("'{}'", first as char), "");
        }
        if self.scanner.eat(b'[') {
            let name = self.owned(label)?;
            let offset = self.offset()?;
            self.expect_equals()?;
            let value = self.value()?;
            return Ok(Some(Item::Element { name, offset, value }));
        }
        if let Some(word) = Scanner::reserved(label).filter(|_| !indented) {
            return self.unexpected(&word.name(), "");
        }
        let name = self.owned(label)?;
        let value = if self.scanner.eat(b'=') { Some(self.value()?) } else { None };
        Ok(Some(Item::Entry { name, value }))
    }

    fn expect_equals(&mut self) -> Parsed<()> {
        self.scanner.skip_blanks();
        if self.scanner.eat(b'=') {
            return Ok(());
        }
        let what = match self.scanner.peek() {
            None => "end of file".to_string(),
            Some(b'\n' | b'\r') => "END_OF_LINE".to_string(),
            Some(b'[') => "TC_SECTION".to_string(),
            Some(byte) if self.scanner.label().is_empty() => format!("'{}'", byte as char),
            Some(_) => "TC_LABEL".to_string(),
        };
        self.unexpected(&what, "'='")
    }

    fn section(&mut self) -> Parsed<Vec<u8>> {
        let name = if self.mode == Mode::Raw {
            match self.scanner.raw_section() {
                Some(name) => self.owned(name)?,
                None => return self.unexpected("end of file", "']'"),
            }
        } else {
            self.plain(b']', false)?
        };
        self.scanner.end_section();
        Ok(name)
    }

    fn offset(&mut self) -> Parsed<Vec<u8>> {
        self.scanner.skip_blanks();
        self.plain(b']', true)
    }

    /// A text with quotes and variables, up to `end`; whole words may be constants.
    fn plain(&mut self, end: u8, constants: bool) -> Parsed<Vec<u8>> {
        let mut out = Vec::new();
        loop {
            match self.scanner.plain_token(end) {
                Token::Char(b'"') => self.double_quoted(&mut out)?,
                Token::Char(_) => return Ok(out),
                Token::Dollar => self.variable(&mut out)?,
                Token::Constant(word) if constants => self.constant(word, &mut out)?,
                Token::Constant(text) | Token::Text(text) | Token::Raw(text) => self.append(&mut out, text)?,
                _ => return self.unexpected("end of file", &format!("'{}'", end as char)),
            }
        }
    }

    fn constant(&mut self, word: &[u8], out: &mut Vec<u8>) -> Parsed<()> {
        match self.names.constant(word) {
            Some(value) => self.append(out, &value),
            None => self.append(out, word),
        }
    }

    /// Behind the opening quote.
    fn double_quoted(&mut self, out: &mut Vec<u8>) -> Parsed<()> {
        loop {
            match self.scanner.double_quoted() {
                None => return self.unexpected("end of file", "TC_DOLLAR_CURLY or TC_QUOTED_STRING or '\"'"),
                Some([]) => {}
                Some(text) => {
                    self.append(out, text)?;
                    continue;
                }
            }
            if self.scanner.eat(b'"') {
                self.scanner.skip_blanks();
                return Ok(());
            }
            self.scanner.eat(b'$');
            self.scanner.eat(b'{');
            self.variable(out)?;
        }
    }

    /// Behind `${`.
    fn variable(&mut self, out: &mut Vec<u8>) -> Parsed<()> {
        self.nest()?;
        let name = self.scanner.variable_name();
        if name.is_empty() {
            let what = match self.scanner.peek() {
                Some(b'}') => "'}'",
                Some(b':') => "TC_FALLBACK",
                _ => "end of file",
            };
            return self.unexpected(what, "TC_VARNAME");
        }
        let found = self.names.variable(name);
        let value = if self.scanner.fallback() {
            let fallback = self.plain(b'}', true)?;
            found.filter(|value| !value.is_empty()).unwrap_or(fallback)
        } else if self.scanner.eat(b'}') {
            found.unwrap_or_default()
        } else {
            return self.unexpected("end of file", "TC_FALLBACK or '}'");
        };
        self.depth -= 1;
        self.append(out, &value)
    }

    fn nest(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(Error { message: "memory exhausted".into(), line: self.scanner.line });
        }
        Ok(())
    }

    // ---- values

    fn value(&mut self) -> Parsed<Scalar> {
        self.scanner.start_value();
        if self.mode == Mode::Raw && !matches!(self.scanner.peek(), Some(b';')) {
            let value = self.scanner.raw_value();
            return Ok(Scalar::Str(self.owned(value)?));
        }
        let typed = self.mode == Mode::Typed;
        let first = self.scanner.value_token();
        let (scalar, next) = match first {
            Token::EndOfLine => return Ok(Scalar::Str(Vec::new())),
            Token::Null => (if typed { Scalar::Null } else { Scalar::Str(Vec::new()) }, self.scanner.value_token()),
            Token::Bool(b) => {
                let text = if b { b"1".to_vec() } else { Vec::new() };
                (if typed { Scalar::Bool(b) } else { Scalar::Str(text) }, self.scanner.value_token())
            }
            first => {
                let (value, next) = self.expression(first)?;
                let number = if typed && value.numeric { number(&value.text) } else { None };
                (number.unwrap_or(Scalar::Str(value.text)), next)
            }
        };
        match next {
            Token::EndOfLine | Token::EndOfFile => Ok(scalar),
            token => self.unexpected(&token.name(), ""),
        }
    }

    /// Operands and operators; all operators are of one rank. Gives the token behind, too.
    fn expression(&mut self, first: Token<'a>) -> Parsed<(Value, Token<'a>)> {
        let (mut left, mut token) = self.operand(first)?;
        while let Token::Char(operator @ (b'|' | b'&' | b'^')) = token {
            let next = self.scanner.value_token();
            let (right, behind) = self.operand(next)?;
            let (a, b) = (leading_int(&left.text), leading_int(&right.text));
            let n = match operator {
                b'|' => a | b,
                b'&' => a & b,
                _ => a ^ b,
            };
            left = Value { text: n.to_string().into_bytes(), numeric: true };
            token = behind;
        }
        Ok((left, token))
    }

    fn operand(&mut self, first: Token<'a>) -> Parsed<(Value, Token<'a>)> {
        match first {
            Token::Char(operator @ (b'~' | b'!')) => {
                self.nest()?;
                let next = self.scanner.value_token();
                let (value, behind) = self.operand(next)?;
                self.depth -= 1;
                let n = leading_int(&value.text);
                let n = if operator == b'~' { !n } else { i64::from(n == 0) };
                Ok((Value { text: n.to_string().into_bytes(), numeric: true }, behind))
            }
            Token::Char(b'(') => {
                self.nest()?;
                let next = self.scanner.value_token();
                let (value, behind) = self.expression(next)?;
                self.depth -= 1;
                match behind {
                    Token::Char(b')') => Ok((value, self.scanner.value_token())),
                    token => self.unexpected(&token.name(), "'^' or '|' or '&' or ')'"),
                }
            }
            first => self.texts(first),
        }
    }

    /// One text after the other, which make one.
    fn texts(&mut self, first: Token<'a>) -> Parsed<(Value, Token<'a>)> {
        let mut value = Value { text: Vec::new(), numeric: matches!(first, Token::Number(_)) };
        let mut token = first;
        let mut any = false;
        loop {
            match token {
                Token::Number(text) | Token::Text(text) | Token::Blanks(text) | Token::Raw(text) => self.append(&mut value.text, text)?,
                Token::Constant(word) => self.constant(word, &mut value.text)?,
                Token::Char(b'"') => self.double_quoted(&mut value.text)?,
                Token::Dollar => self.variable(&mut value.text)?,
                end if any => return Ok((value, end)),
                token => return self.unexpected(&token.name(), ""),
            }
            any = true;
            token = self.scanner.value_token();
        }
    }
}

/// What C's `atoi` reads.
fn leading_int(text: &[u8]) -> i64 {
    let text = text.trim_ascii_start();
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let mut n: i64 = 0;
    for digit in digits.iter().take_while(|b| b.is_ascii_digit()) {
        n = n.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    }
    if negative { n.saturating_neg() } else { n }
}

/// A numeric text as a number; one that does not fit stays a text.
fn number(text: &[u8]) -> Option<Scalar> {
    let text = std::str::from_utf8(text.trim_ascii()).ok()?;
    if let Ok(n) = text.parse() {
        return Some(Scalar::Int(n));
    }
    let (whole, _) = text.split_once('.')?;
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.') && whole.len() < 20;
    text.parse().ok().filter(|_| plain).map(Scalar::Float)
}
