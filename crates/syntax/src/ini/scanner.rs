//! The pieces of an ini text: what a name, a quoted text, a section or a value is made of.
//!
//! The rules were read off stock PHP, quirks included: a quote in a label is a part of it, `$` before the end of the text is
//! nothing, blanks before `;`, `"` and the end of a line do not count.

/// A piece of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    Null,
    Bool(bool),
    Number(&'a [u8]),
    /// A word that may be a constant.
    Constant(&'a [u8]),
    Text(&'a [u8]),
    Blanks(&'a [u8]),
    /// `'…'`
    Raw(&'a [u8]),
    /// One of `| & ^ ~ ! ( ) = "`.
    Char(u8),
    /// `${`
    Dollar,
    EndOfLine,
    EndOfFile,
}

impl Token<'_> {
    /// As error messages call it.
    pub fn name(&self) -> String {
        match self {
            Token::Null => "NULL_NULL".into(),
            Token::Bool(true) => "BOOL_TRUE".into(),
            Token::Bool(false) => "BOOL_FALSE".into(),
            Token::Number(_) => "TC_NUMBER".into(),
            Token::Constant(_) => "TC_CONSTANT".into(),
            Token::Text(_) | Token::Raw(_) => "TC_STRING".into(),
            Token::Blanks(_) => "TC_WHITESPACE".into(),
            Token::Char(c) => format!("'{}'", *c as char),
            Token::Dollar => "TC_DOLLAR_CURLY".into(),
            Token::EndOfLine => "END_OF_LINE".into(),
            Token::EndOfFile => "end of file".into(),
        }
    }
}

/// A position in a text. The end of the text, and a NUL, are read as `None`.
pub struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    pub line: u32,
    /// In a value the end of the text ends the line first.
    line_ended: bool,
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn is_label(byte: u8) -> bool {
    !matches!(
        byte,
        b'=' | b'\n' | b'\r' | b'\t' | b';' | b'&' | b'|' | b'^' | b'$' | b'~' | b'(' | b')' | b'{' | b'}' | b'!' | b'"'
            | b'[' | b']' | 0
    )
}

/// `1`, `-1`, `1.5`, `.5`, `1.`
fn is_number(text: &[u8]) -> bool {
    if text.iter().filter(|b| **b == b'.').count() == 1 {
        return text.len() > 1 && text.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    }
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

pub fn is_word(text: &[u8]) -> bool {
    let first = text.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
    first && text.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// `null`, or the words for booleans.
fn literal(word: &[u8]) -> Option<Token<'static>> {
    let is = |words: &[&str]| words.iter().any(|w| word.eq_ignore_ascii_case(w.as_bytes()));
    if is(&["null"]) {
        return Some(Token::Null);
    }
    if is(&["true", "on", "yes"]) {
        return Some(Token::Bool(true));
    }
    is(&["false", "off", "no", "none"]).then_some(Token::Bool(false))
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a [u8]) -> Scanner<'a> {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        Scanner { text, at: 0, line: 1, line_ended: false }
    }

    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied().filter(|b| *b != 0)
    }

    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let len = rest.iter().position(|b| *b == 0 || !wanted(*b)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    pub fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub fn skip_blanks(&mut self) -> &'a [u8] {
        self.take_while(is_blank)
    }

    /// Takes the end of a line.
    pub fn newline(&mut self) -> bool {
        let len = match self.rest() {
            [b'\r', b'\n', ..] => 2,
            [b'\n' | b'\r', ..] => 1,
            _ => return false,
        };
        self.at += len;
        self.line += 1;
        true
    }

    /// Takes a comment with the end of its line; false: the text ends there.
    pub fn comment(&mut self) -> bool {
        self.take_while(|b| !is_newline(b));
        self.newline()
    }

    /// A label at the start of a statement, without the blanks behind it; empty when there is none.
    pub fn label(&mut self) -> &'a [u8] {
        let label = self.take_while(is_label);
        let trimmed = label.trim_ascii_end();
        self.skip_blanks();
        trimmed
    }

    /// The word in place of a label, if it is one that cannot be a label.
    pub fn reserved(label: &[u8]) -> Option<Token<'static>> {
        literal(label)
    }

    /// The value up to the end of the line, as it is written.
    pub fn raw_value(&mut self) -> &'a [u8] {
        let line = self.take_while(|b| !is_newline(b));
        // A `;` starts a comment, but for one inside of quotes around the value.
        let from = match line.strip_prefix(b"\"") {
            Some(_) => line.iter().rposition(|b| *b == b'"').unwrap_or(0),
            None => 0,
        };
        let end = line.iter().skip(from).position(|b| *b == b';').map_or(line.len(), |at| from + at);
        let value = line[..end].trim_ascii_end();
        match value {
            [b'"', inner @ .., b'"'] => inner,
            _ => value,
        }
    }

    /// The next piece of a value.
    pub fn value_token(&mut self) -> Token<'a> {
        let blanks = self.take_while(is_blank);
        match self.peek() {
            None if !blanks.is_empty() => return Token::Blanks(blanks),
            None if self.line_ended => return Token::EndOfFile,
            None => {
                self.line_ended = true;
                return Token::EndOfLine;
            }
            Some(b'\n' | b'\r') => {
                self.newline();
                return Token::EndOfLine;
            }
            Some(b';') => {
                if self.comment() {
                    return Token::EndOfLine;
                }
                self.line_ended = true;
                return Token::EndOfFile;
            }
            Some(b'"') => {
                self.at += 1;
                return Token::Char(b'"');
            }
            _ if !blanks.is_empty() => return Token::Blanks(blanks),
            Some(c @ (b'|' | b'&' | b'^' | b'~' | b'!' | b'(' | b')' | b'=')) => {
                self.at += 1;
                self.skip_blanks();
                return Token::Char(c);
            }
            Some(b'\'') => return self.single_quoted(),
            _ => {}
        }
        if self.rest().starts_with(b"${") {
            self.at += 2;
            return Token::Dollar;
        }
        let text = self.value_text();
        if is_number(text) {
            return Token::Number(text);
        }
        if let Some(token) = literal(text) {
            self.skip_blanks();
            return token;
        }
        if is_word(text) { Token::Constant(text) } else { Token::Text(text) }
    }

    /// The value starts: blanks before it do not count.
    pub fn start_value(&mut self) {
        self.skip_blanks();
        self.line_ended = false;
    }

    /// Bytes without a meaning of their own; a `$` that opens no variable takes the next byte along.
    fn value_text(&mut self) -> &'a [u8] {
        let start = self.at;
        while let Some(byte) = self.peek() {
            match byte {
                b'$' => match self.text.get(self.at + 1) {
                    Some(b'{') => break,
                    // Nothing comes behind it, and it is nothing itself.
                    Some(0) | None => {
                        self.at += 1;
                        return &self.text[start..self.at - 1];
                    }
                    Some(_) => self.at += 2,
                },
                b'=' | b' ' | b'\t' | b'\n' | b'\r' | b';' | b'|' | b'&' | b'^' | b'~' | b'(' | b')' | b'!' | b'"' | b'\'' => break,
                _ => self.at += 1,
            }
        }
        &self.text[start..self.at]
    }

    /// `'…'` without escapes; one that does not end is the end of the text.
    fn single_quoted(&mut self) -> Token<'a> {
        let rest = self.rest();
        let body = rest.get(1..).unwrap_or_default();
        let Some(len) = body.iter().position(|b| *b == b'\'' || *b == 0).filter(|n| body.get(*n) == Some(&b'\'')) else {
            self.at = self.text.len();
            self.line_ended = true;
            return Token::EndOfFile;
        };
        let text = &body[..len];
        self.at += len + 2;
        self.count_lines(text);
        Token::Raw(text)
    }

    fn count_lines(&mut self, text: &[u8]) {
        self.line += text.iter().filter(|b| **b == b'\n').count() as u32;
    }

    /// A piece of `"…"`: up to its end, a variable or a byte behind a backslash. Empty: one of the former stands here. `None`: the text
    /// ends first.
    pub fn double_quoted(&mut self) -> Option<&'a [u8]> {
        let mut start = self.at;
        loop {
            match (self.peek()?, self.text.get(self.at + 1).copied()) {
                (b'"', _) | (b'$', Some(b'{')) => return Some(&self.text[start..self.at]),
                // A quote at the end of a line ends the text, backslash or not.
                (b'\\', Some(b'"')) if self.text.get(self.at + 2).is_none_or(|b| is_newline(*b)) => self.at += 1,
                (b'\\', Some(b'"' | b'\\' | b'$')) => {
                    if self.at > start {
                        return Some(&self.text[start..self.at]);
                    }
                    // What stands behind it is taken as it is.
                    start = self.at + 1;
                    self.at += 2;
                }
                (byte, _) => {
                    self.line += u32::from(byte == b'\n');
                    self.at += 1;
                }
            }
        }
    }

    /// A piece of a section's name, an offset or a fallback, which ends at `end`.
    pub fn plain_token(&mut self, end: u8) -> Token<'a> {
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                return Token::Char(b'"');
            }
            Some(b'\'') => return self.single_quoted(),
            Some(byte) if byte == end => {
                self.at += 1;
                return Token::Char(end);
            }
            None | Some(b'\n' | b'\r' | b';') => return Token::EndOfFile,
            Some(_) => {}
        }
        if self.rest().starts_with(b"${") {
            self.at += 2;
            return Token::Dollar;
        }
        let start = self.at;
        while let Some(byte) = self.peek() {
            let next = self.text.get(self.at + 1).copied();
            match byte {
                b'$' if next == Some(b'{') => break,
                b'\n' | b'\r' | b';' | b'"' | b'\'' => break,
                _ if byte == end => break,
                b'\\' if next.is_some_and(|b| b != 0) => self.at += 2,
                _ => self.at += 1,
            }
        }
        let text = &self.text[start..self.at];
        if is_word(text) { Token::Constant(text) } else { Token::Text(text) }
    }

    /// The name of a section in the raw mode: everything up to `]`.
    pub fn raw_section(&mut self) -> Option<&'a [u8]> {
        let name = self.take_while(|b| b != b']' && !is_newline(b));
        self.eat(b']').then_some(name)
    }

    /// Behind a section: the rest of its line, which PHP counts in any case.
    pub fn end_section(&mut self) {
        self.skip_blanks();
        if !self.newline() {
            self.line += 1;
        }
    }

    /// How far the text is read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The name of a variable, up to `}` or `:-`.
    pub fn variable_name(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let ends = |at: usize| match rest.get(at) {
            Some(b':') => rest.get(at + 1) == Some(&b'-'),
            Some(byte) => !is_label(*byte),
            None => true,
        };
        let len = (0..=rest.len()).find(|at| ends(*at)).unwrap_or(rest.len());
        // Quirk of PHP: one letter is no name in front of a fallback.
        if len == 1 && rest.get(1) == Some(&b':') {
            self.at += 1;
            return &[];
        }
        self.at += len;
        &rest[..len]
    }

    /// Takes `:-`.
    pub fn fallback(&mut self) -> bool {
        let found = self.rest().starts_with(b":-");
        self.at += if found { 2 } else { 0 };
        found
    }
}
