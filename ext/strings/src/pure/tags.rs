//! strip_tags.

use jumbo_value::{OutOfMemory, PStr, PStrBuilder};

/// What is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Text,
    Tag,
    /// `<? ... ?>`
    Php,
    /// `<! ... >`
    Declaration,
    Comment,
}

struct Stripper<'t> {
    text: &'t [u8],
    at: usize,
    /// The allowed tags, lower case, as `<a><b>`.
    allowed: PStr,
    out: PStrBuilder,
    /// The tag being read, kept in case it is allowed.
    tag: PStrBuilder,
    state: State,
    /// Tags opened inside of a tag.
    depth: usize,
    /// The quote that is open, or 0.
    quote: u8,
    /// The last byte that meant something.
    last: u8,
    parentheses: i64,
    is_xml: bool,
}

/// strip_tags; `allowed` is a string such as `<a><b>`.
pub fn strip_tags(text: &[u8], allowed: &[u8]) -> Result<PStr, OutOfMemory> {
    let mut stripper = Stripper {
        text,
        at: 0,
        allowed: PStr::mapped(allowed, |byte| byte.to_ascii_lowercase()),
        out: PStrBuilder::with_capacity(text.len())?,
        tag: PStrBuilder::new(),
        state: State::Text,
        depth: 0,
        quote: 0,
        last: 0,
        parentheses: 0,
        is_xml: false,
    };
    while let Some(&byte) = text.get(stripper.at) {
        // NUL is passed over where text or a tag is read.
        match stripper.state {
            State::Text | State::Tag if byte == 0 => {}
            State::Text => stripper.text_byte(byte)?,
            State::Tag => stripper.tag_byte(byte)?,
            State::Php => stripper.php_byte(byte),
            State::Declaration => stripper.declaration_byte(byte),
            State::Comment => stripper.comment_byte(byte),
        }
        stripper.at += 1;
    }
    Ok(stripper.out.finish())
}

impl Stripper<'_> {
    fn before(&self, distance: usize) -> u8 {
        self.at.checked_sub(distance).map_or(0, |at| self.text[at])
    }

    fn follows(&self, tail: &[u8]) -> bool {
        let read = &self.text[..self.at];
        read.len()
            .checked_sub(tail.len())
            .is_some_and(|start| read[start..].eq_ignore_ascii_case(tail))
    }

    fn next_is_space(&self) -> bool {
        self.text
            .get(self.at + 1)
            .is_some_and(|byte| matches!(byte, b' ' | b'\t'..=b'\r'))
    }

    fn text_byte(&mut self, byte: u8) -> Result<(), OutOfMemory> {
        match byte {
            b'<' if self.quote != 0 => {}
            b'<' if self.next_is_space() => self.out.push(byte)?,
            b'<' => {
                self.last = b'<';
                self.state = State::Tag;
                self.keep(b'<')?;
            }
            b'>' if self.depth > 0 => self.depth -= 1,
            b'>' if self.quote != 0 => {}
            _ => self.out.push(byte)?,
        }
        Ok(())
    }

    fn keep(&mut self, byte: u8) -> Result<(), OutOfMemory> {
        if self.allowed.is_empty() { Ok(()) } else { self.tag.push(byte) }
    }

    fn end(&mut self) {
        self.state = State::Text;
        self.quote = 0;
        self.is_xml = false;
        self.tag.clear();
    }

    fn toggle_quote(&mut self, byte: u8) {
        if self.quote == 0 {
            self.quote = byte;
        } else if self.quote == byte {
            self.quote = 0;
        }
    }

    fn tag_byte(&mut self, byte: u8) -> Result<(), OutOfMemory> {
        match byte {
            b'<' if self.quote != 0 => {}
            b'<' if self.next_is_space() => self.keep(byte)?,
            b'<' => self.depth += 1,
            b'>' if self.depth > 0 => self.depth -= 1,
            b'>' if self.quote != 0 => {}
            b'>' => {
                self.last = b'>';
                if self.is_xml && self.before(1) == b'-' {
                    return Ok(());
                }
                self.keep(b'>')?;
                if !self.allowed.is_empty() && self.is_allowed()? {
                    self.out.extend(&self.tag)?;
                }
                self.end();
            }
            b'"' | b'\'' => {
                self.toggle_quote(byte);
                self.keep(byte)?;
            }
            b'!' if self.before(1) == b'<' => {
                self.state = State::Declaration;
                self.last = byte;
            }
            b'?' if self.before(1) == b'<' => {
                self.parentheses = 0;
                self.state = State::Php;
            }
            _ => self.keep(byte)?,
        }
        Ok(())
    }

    fn php_byte(&mut self, byte: u8) {
        let in_string = matches!(self.last, b'"' | b'\'');
        match byte {
            b'(' if !in_string => {
                self.last = byte;
                self.parentheses += 1;
            }
            b')' if !in_string => {
                self.last = byte;
                self.parentheses -= 1;
            }
            b'>' if self.depth > 0 => self.depth -= 1,
            b'>' if self.quote != 0 => {}
            b'>' if self.parentheses == 0 && self.last != b'"' && self.before(1) == b'?' => {
                self.end()
            }
            b'"' | b'\'' if self.before(1) != b'\\' => {
                if self.last == byte {
                    self.last = 0;
                } else if self.last != b'\\' {
                    self.last = byte;
                }
                self.toggle_quote(byte);
            }
            // An XML declaration is a tag, not PHP.
            b'l' | b'L' if self.at > 4 && self.follows(b"<?xm") => {
                self.state = State::Tag;
                self.is_xml = true;
            }
            _ => {}
        }
    }

    fn declaration_byte(&mut self, byte: u8) {
        match byte {
            b'>' if self.depth > 0 => self.depth -= 1,
            b'>' if self.quote != 0 => {}
            b'>' => self.end(),
            b'"' | b'\'' if self.before(1) != b'\\' => self.toggle_quote(byte),
            b'-' if self.follows(b"!-") => self.state = State::Comment,
            // A document type is a tag.
            b'e' | b'E' if self.at > 6 && self.follows(b"<!doctyp") => self.state = State::Tag,
            _ => {}
        }
    }

    fn comment_byte(&mut self, byte: u8) {
        if byte == b'>' && self.quote == 0 && self.follows(b"--") {
            self.end();
        }
    }

    /// Whether the tag that was read, without attributes and slashes, is among the allowed ones.
    fn is_allowed(&self) -> Result<bool, OutOfMemory> {
        let mut name = PStrBuilder::new();
        name.push(b'<')?;
        for (index, &byte) in self.tag.iter().enumerate().skip(1) {
            match byte {
                b'>' => break,
                b' ' | b'\t'..=b'\r' if name.len() == 1 => {}
                b' ' | b'\t'..=b'\r' => break,
                b'/' if self.tag[index - 1] == b'<' || self.tag.get(index + 1) == Some(&b'>') => {}
                _ => name.push(byte.to_ascii_lowercase())?,
            }
        }
        name.push(b'>')?;
        Ok(memchr::memmem::find(&self.allowed, &name).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, rows, show};

    #[test]
    fn strips_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/strip_tags.tsv")) {
            let [text, allowed, expected] = &row[..] else {
                panic!("bad row")
            };
            samples.check(
                show(&strip_tags(text, allowed)?),
                show(expected),
                format!("{} {}", show(text), show(allowed)),
            );
        }
        Ok(())
    }
}
