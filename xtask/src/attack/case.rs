//! What a case demands of an answer: the lines that raw requests and scripts have in common.
//!
//! | line | meaning |
//! |---|---|
//! | `options: --in-flight-max 5` | options of `jumbo serve` for this case, separated by spaces |
//! | `expect: 400` | the status of the next answer; further lines are about that answer |
//! | `header: Allow: GET` | it has this header field; with nothing after the second colon: a field of this name |
//! | `no header: Location` | it has no field of this name |
//! | `body: text` | its body contains the text (escapes as in requests: `\xE9`, `\n`) |
//! | `no body: text` | its body does not |
//! | `closed` | the server closes the connection after the last answer |
//! | `log: text` | the server's log contains the text by the end |

use super::client::Answer;
use super::Wrong;

#[derive(Default)]
pub struct Facts {
    pub options: Vec<String>,
    pub answers: Vec<Expected>,
    pub closed: bool,
    pub log: Vec<Vec<u8>>,
    /// Scripts alone: `method: POST` and `query: a=b`, `beside: /path` (answered with 200 while the script runs).
    pub method: Option<String>,
    pub query: Option<String>,
    pub beside: Vec<String>,
}

/// What one answer must be.
#[derive(Default)]
pub struct Expected {
    pub status: u16,
    headers: Vec<(String, String)>,
    no_headers: Vec<String>,
    body: Vec<Vec<u8>>,
    no_body: Vec<Vec<u8>>,
}

impl Facts {
    /// Takes one line; false: it is none of these.
    pub fn take(&mut self, line: &str) -> Result<bool, Wrong> {
        let (key, value) = line.split_once(':').map_or((line, ""), |(key, value)| (key, value.trim()));
        let name = key.trim();
        match name {
            "options" => self.options.extend(value.split_whitespace().map(str::to_owned)),
            "closed" => self.closed = true,
            "log" => self.log.push(unescape(value)?),
            "method" => self.method = Some(value.to_owned()),
            "query" => self.query = Some(value.to_owned()),
            "beside" => self.beside.push(value.to_owned()),
            "expect" => {
                let status = value.parse().map_err(|_| format!("{value:?} is no status"))?;
                self.answers.push(Expected { status, ..Expected::default() });
            }
            "header" | "no header" | "body" | "no body" => {
                let answer = self.answers.last_mut().ok_or_else(|| format!("{name:?} before the first \"expect\""))?;
                match name {
                    "header" => {
                        let (field, content) = value.split_once(':').unwrap_or((value, ""));
                        answer.headers.push((field.trim().to_owned(), content.trim().to_owned()));
                    }
                    "no header" => answer.no_headers.push(value.to_owned()),
                    "body" => answer.body.push(unescape(value)?),
                    _ => answer.no_body.push(unescape(value)?),
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A case that demands nothing could not fail.
    pub fn whole(self) -> Result<Facts, Wrong> {
        if self.answers.is_empty() && !self.closed {
            return Err("it expects nothing: a line \"expect: STATUS\" is missing".to_owned());
        }
        Ok(self)
    }
}

impl Expected {
    pub fn check(&self, answer: &Answer) -> Result<(), Wrong> {
        let shown = || format!("\n{}", answer.shown());
        if answer.status != self.status {
            return Err(format!("status {} and not {}{}", answer.status, self.status, shown()));
        }
        for (name, content) in &self.headers {
            let mut fields = answer.headers.iter().filter(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value).peekable();
            if fields.peek().is_none() || !(content.is_empty() || fields.any(|value| value == content)) {
                return Err(format!("no header {name}: {content}{}", shown()));
            }
        }
        if let Some(name) = self.no_headers.iter().find(|name| answer.headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(name))) {
            return Err(format!("there is a header {name}{}", shown()));
        }
        if let Some(text) = self.body.iter().find(|text| !contains(&answer.body, text)) {
            return Err(format!("the body lacks {:?}{}", String::from_utf8_lossy(text), shown()));
        }
        if let Some(text) = self.no_body.iter().find(|text| contains(&answer.body, text)) {
            return Err(format!("the body has {:?}{}", String::from_utf8_lossy(text), shown()));
        }
        Ok(())
    }
}

pub fn contains(all: &[u8], part: &[u8]) -> bool {
    part.is_empty() || all.windows(part.len()).any(|window| window == part)
}

/// Bytes with the escapes `\xHH`, `\r`, `\n`, `\t`, `\0`, `\\` and `\{TEXT*COUNT}` (TEXT so many times).
pub fn unescape(text: &str) -> Result<Vec<u8>, Wrong> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        let kind = rest.chars().next().ok_or("a backslash at the end of a line")?;
        rest = &rest[kind.len_utf8()..];
        match kind {
            'r' => out.push(b'\r'),
            'n' => out.push(b'\n'),
            't' => out.push(b'\t'),
            '0' => out.push(0),
            '\\' => out.push(b'\\'),
            'x' => {
                let digits = rest.get(..2).ok_or("\\x needs two digits")?;
                out.push(u8::from_str_radix(digits, 16).map_err(|_| format!("\\x{digits} is no byte"))?);
                rest = &rest[2..];
            }
            '{' => {
                let end = rest.find('}').ok_or("\\{ without }")?;
                let (part, count) = rest[..end].rsplit_once('*').ok_or("\\{TEXT*COUNT} lacks its count")?;
                let count: usize = count.parse().map_err(|_| format!("{count:?} is no count"))?;
                out.extend_from_slice(unescape(part)?.repeat(count).as_slice());
                rest = &rest[end + 1..];
            }
            other => return Err(format!("\\{other} means nothing")),
        }
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}
