//! PDO's reading of SQL: where placeholders stand, and where text is none (strings, quoted names, comments).
//!
//! Each driver has a [`Dialect`]. `??` is a question mark that is no placeholder (for operators of PostgreSQL), `::` is no start of a name.

use jumbo_abi::PStr;
use jumbo_value::{HeapCharge, OutOfMemory, PStrBuilder};
use std::ops::Deref;

/// How a database writes strings, names and comments.
#[derive(Debug)]
pub struct Dialect {
    /// Quotes that open a string or a name; doubled inside they stand for themselves.
    pub quotes: &'static [u8],
    /// Quotes inside which a backslash takes the next byte with it.
    pub backslash_quotes: &'static [u8],
    /// `[name]`
    pub brackets: bool,
    /// `# …` to the end of the line.
    pub hash_comments: bool,
    /// `--` begins a comment only when white space follows (MySQL).
    pub dashes_need_space: bool,
    /// `$tag$ … $tag$` and `E'…'` with backslashes (PostgreSQL).
    pub dollar_quotes: bool,
}

/// Standard SQL.
pub static STANDARD: Dialect = Dialect {
    quotes: b"'\"",
    backslash_quotes: b"",
    brackets: false,
    hash_comments: false,
    dashes_need_space: false,
    dollar_quotes: false,
};

/// A placeholder's place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// `?`
    Question { at: usize },
    /// `:name`, colon included.
    Name { start: usize, end: usize },
    /// `??`
    Escaped { at: usize },
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// The end of something that is closed by `close`, which may be doubled inside; `at` is behind its start. The end of the text when it is open.
fn closed(sql: &[u8], mut at: usize, close: u8, backslash: bool) -> Option<usize> {
    while let Some(b) = sql.get(at) {
        if *b == b'\\' && backslash {
            at += 2;
        } else if *b != close {
            at += 1;
        } else if sql.get(at + 1) == Some(&close) && close != b']' {
            at += 2;
        } else {
            return Some(at + 1);
        }
    }
    None
}

fn line_end(sql: &[u8], at: usize) -> usize {
    sql[at..].iter().position(|b| matches!(b, b'\n' | b'\r')).map_or(sql.len(), |n| at + n)
}

/// The end of `$tag$ … $tag$` that begins here.
fn dollar_quoted(sql: &[u8], at: usize) -> Option<usize> {
    let tag_end = at + 1 + sql[at + 1..].iter().position(|b| *b == b'$')?;
    let tag = &sql[at..=tag_end];
    let inner = &tag[1..tag.len() - 1];
    if inner.first().is_some_and(u8::is_ascii_digit) || !inner.iter().all(|b| is_name(*b) || *b >= 0x80) {
        return None;
    }
    let rest = &sql[tag_end + 1..];
    let found = rest.windows(tag.len()).position(|w| w == tag)?;
    Some(tag_end + 1 + found + tag.len())
}

/// The placeholders of a text, in order.
pub struct Tokens {
    list: Vec<Token>,
    charge: HeapCharge,
}

impl Tokens {
    fn push(&mut self, token: Token) -> Result<(), OutOfMemory> {
        self.charge.reserve(&mut self.list, 1)?;
        self.list.push(token);
        Ok(())
    }
}

impl Deref for Tokens {
    type Target = [Token];
    fn deref(&self) -> &[Token] {
        &self.list
    }
}

/// All placeholders of a text.
pub fn scan(sql: &[u8], dialect: &Dialect) -> Result<Tokens, OutOfMemory> {
    let mut tokens = Tokens { list: Vec::new(), charge: HeapCharge::none() };
    let mut at = 0;
    while let Some(&b) = sql.get(at) {
        let next = sql.get(at + 1).copied();
        at = match b {
            b'e' | b'E' if dialect.dollar_quotes && next == Some(b'\'') && (at == 0 || !is_name(sql[at - 1])) => {
                closed(sql, at + 2, b'\'', true).unwrap_or(at + 2)
            }
            _ if dialect.quotes.contains(&b) => {
                // An open quote is an ordinary character.
                closed(sql, at + 1, b, dialect.backslash_quotes.contains(&b)).unwrap_or(at + 1)
            }
            b'[' if dialect.brackets => closed(sql, at + 1, b']', false).unwrap_or(at + 1),
            b'$' if dialect.dollar_quotes && (at == 0 || !is_name(sql[at - 1])) => dollar_quoted(sql, at).unwrap_or(at + 1),
            b'-' if next == Some(b'-')
                && (!dialect.dashes_need_space || sql.get(at + 2).is_none_or(|b| b.is_ascii_whitespace())) =>
            {
                line_end(sql, at)
            }
            b'#' if dialect.hash_comments => line_end(sql, at),
            b'/' if next == Some(b'*') => match sql[at + 2..].windows(2).position(|w| w == b"*/") {
                Some(n) => at + 2 + n + 2,
                None => at + 2,
            },
            b'?' => {
                let run = sql[at..].iter().take_while(|b| **b == b'?').count();
                match run {
                    1 => tokens.push(Token::Question { at })?,
                    2 => tokens.push(Token::Escaped { at })?,
                    _ => {}
                }
                at + run
            }
            b':' => {
                let colons = sql[at..].iter().take_while(|b| **b == b':').count();
                let end = at + colons + sql[at + colons..].iter().take_while(|b| is_name(**b)).count();
                if colons == 1 && end > at + 1 {
                    tokens.push(Token::Name { start: at, end })?;
                    end
                } else {
                    at + colons
                }
            }
            _ => at + 1,
        };
    }
    Ok(tokens)
}

/// Why a statement's placeholders cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// There are names and question marks.
    Mixed,
    Memory(OutOfMemory),
}

impl From<OutOfMemory> for Unusable {
    fn from(refused: OutOfMemory) -> Unusable {
        Unusable::Memory(refused)
    }
}

/// A text for a database that understands one kind of placeholder, and the names by position.
#[derive(Debug)]
pub struct Rewritten {
    pub sql: PStr,
    /// For each placeholder that stands in the text as written: its name, colon included; absent for `?`. A database that takes the
    /// statement takes no more than a few hundred thousand of them.
    pub names: Vec<Option<PStr>>,
}

/// Rewrites placeholders: to `?`, or to `:pdo1`, `:pdo2`, … when `named`.
pub fn rewrite(sql: &[u8], dialect: &Dialect, named: bool) -> Result<Rewritten, Unusable> {
    let tokens = scan(sql, dialect)?;
    let mut text = PStrBuilder::new();
    let _charge = HeapCharge::for_vec::<Option<PStr>>(tokens.len())?;
    let mut list = Vec::with_capacity(tokens.len());
    let mut copied = 0;
    let (mut questions, mut names) = (false, false);
    for token in tokens.iter() {
        let (start, end, name) = match *token {
            Token::Escaped { at } => {
                text.extend(&sql[copied..=at])?;
                copied = at + 2;
                continue;
            }
            Token::Question { at } => {
                questions = true;
                (at, at + 1, None)
            }
            Token::Name { start, end } => {
                names = true;
                (start, end, Some(PStr::new(&sql[start..end])))
            }
        };
        text.extend(&sql[copied..start])?;
        copied = end;
        list.push(name);
        match named {
            true => write!(text, ":pdo{}", list.len())?,
            false => text.push(b'?')?,
        }
    }
    if questions && names {
        return Err(Unusable::Mixed);
    }
    text.extend(&sql[copied..])?;
    Ok(Rewritten { sql: text.finish(), names: list })
}

/// Puts literals in the places of placeholders, one for each [`Token::Question`] and [`Token::Name`], in order.
pub fn substitute(sql: &[u8], tokens: &[Token], literals: &[PStr]) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(sql.len().saturating_add(literals.iter().map(PStr::len).sum::<usize>()))?;
    let mut copied = 0;
    let mut literals = literals.iter();
    for token in tokens {
        match *token {
            Token::Escaped { at } => {
                out.extend(&sql[copied..=at])?;
                copied = at + 2;
            }
            Token::Question { at: start } | Token::Name { start, .. } => {
                out.extend(&sql[copied..start])?;
                copied = match *token {
                    Token::Name { end, .. } => end,
                    _ => start + 1,
                };
                if let Some(literal) = literals.next() {
                    out.extend(literal.as_bytes())?;
                }
            }
        }
    }
    out.extend(&sql[copied..])?;
    Ok(out.finish())
}

#[cfg(test)]
mod tests {
    use super::{Dialect, STANDARD, Unusable, rewrite};
    use jumbo_value::Heap;

    static MYSQL: Dialect = Dialect {
        quotes: b"'\"`",
        backslash_quotes: b"'\"",
        brackets: false,
        hash_comments: true,
        dashes_need_space: true,
        dollar_quotes: false,
    };
    static POSTGRES: Dialect = Dialect { dollar_quotes: true, ..STANDARD };

    fn check(sql: &str, dialect: &Dialect, expected: &str, names: &[Option<&str>]) {
        let heap = Heap::new();
        let _guard = heap.enter();
        let got = rewrite(sql.as_bytes(), dialect, false).expect(sql);
        assert_eq!(String::from_utf8_lossy(&got.sql), expected);
        let got: Vec<Option<String>> = got.names.iter().map(|n| n.as_ref().map(|n| String::from_utf8_lossy(n).into_owned())).collect();
        let got: Vec<Option<&str>> = got.iter().map(Option::as_deref).collect();
        assert_eq!(got, names, "{sql}");
    }

    #[test]
    fn placeholders() {
        check("a = ? and b = '?' -- ?\n and c=?", &STANDARD, "a = ? and b = '?' -- ?\n and c=?", &[None, None]);
        check("a = :x and b = :x_1 /* :y */", &STANDARD, "a = ? and b = ? /* :y */", &[Some(":x"), Some(":x_1")]);
        check("a::int ?? b ??? c", &STANDARD, "a::int ? b ??? c", &[]);
        check("'it''s ?' \"?\" ?", &STANDARD, "'it''s ?' \"?\" ?", &[None]);
        check("'\\' ?", &STANDARD, "'\\' ?", &[None]);
        check("'\\' ?' `?` # ?\n --? \n -- ?", &MYSQL, "'\\' ?' `?` # ?\n --? \n -- ?", &[None]);
        check("$a$ ? $a$ $1 ? E'\\' ?'", &POSTGRES, "$a$ ? $a$ $1 ? E'\\' ?'", &[None]);
        check("'open ?", &STANDARD, "'open ?", &[None]);
        check("/* open ?", &STANDARD, "/* open ?", &[None]);
        check(":", &STANDARD, ":", &[]);
    }

    #[test]
    fn mixed() {
        let heap = Heap::new();
        let _guard = heap.enter();
        assert!(matches!(rewrite(b"? :a", &STANDARD, false), Err(Unusable::Mixed)));
    }
}
