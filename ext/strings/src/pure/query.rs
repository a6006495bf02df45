//! Query strings: the names that parse_str (and request variables) make, and the pieces of http_build_query.

use super::url;
use jumbo_value::{HeapVec, OutOfMemory, PStr, PStrBuilder};

/// One step into nested arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// `[]`
    Append,
    /// `[key]`: a numeric one is an integer key by the array's own rule.
    Named(PStr),
}

/// What a name such as `a.b[x][]` stands for.
pub struct Name {
    pub base: PStr,
    pub keys: HeapVec<Key>,
}

/// Reads a decoded name. `None` when PHP registers nothing for it.
pub fn parse_name(name: &[u8]) -> Result<Option<Name>, OutOfMemory> {
    // PHP handles names as C strings.
    let name = memchr::memchr(0, name).map_or(name, |end| &name[..end]);
    let Some(start) = name.iter().position(|&byte| byte != b' ') else { return Ok(None) };
    let name = &name[start..];
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let plain = |bytes: &[u8]| PStr::mapped(bytes, |byte| if matches!(byte, b' ' | b'.') { b'_' } else { byte });
    let Some(bracket) = memchr::memchr(b'[', name) else {
        return Ok(Some(Name { base: plain(name), keys: HeapVec::new() }));
    };
    let mut parsed = Name {
        base: plain(&name[..bracket]),
        keys: HeapVec::new(),
    };
    let mut rest = &name[bracket..];
    if bracket == 0 {
        // A name cannot begin with an index.
        return Ok(None);
    }
    while let [b'[', inner @ ..] = rest {
        let Some(end) = memchr::memchr(b']', inner) else {
            if parsed.keys.is_empty() {
                // Not an index after all.
                let tail = PStr::mapped(&rest[1..], |byte| if matches!(byte, b' ' | b'.' | b'[') { b'_' } else { byte });
                parsed.base = PStr::concat(&[&parsed.base, b"_", &tail]);
            }
            break;
        };
        let key = &inner[..end];
        parsed.keys.push(if key.iter().all(is_space) {
            Key::Append
        } else {
            Key::Named(PStr::new(key))
        })?;
        rest = &inner[end + 1..];
    }
    Ok(Some(parsed))
}

/// The pairs of a query string: decoded names and values. `separators` are those of `arg_separator.input`.
pub fn pairs<'q>(
    query: &'q [u8],
    separators: &'q [u8],
) -> impl Iterator<Item = Result<(PStr, PStr), OutOfMemory>> + 'q {
    let parts = query
        .split(|byte| separators.contains(byte))
        .filter(|part| !part.is_empty());
    parts.map(|part| match memchr::memchr(b'=', part) {
        Some(at) => Ok((url::url_decode(&part[..at])?, url::url_decode(&part[at + 1..])?)),
        None => Ok((url::url_decode(part)?, PStr::empty())),
    })
}

/// How http_build_query writes spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// `PHP_QUERY_RFC1738`: `+`
    Rfc1738,
    /// `PHP_QUERY_RFC3986`: `%20`
    Rfc3986,
}

impl Encoding {
    pub fn encode(self, text: &[u8], out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
        match self {
            Encoding::Rfc1738 => url::url_encode(text, out),
            Encoding::Rfc3986 => url::raw_url_encode(text, out),
        }
    }

    /// The encoded name of element `key` in what is named `prefix` (encoded already; `None` at the top).
    pub fn nested_name(self, prefix: Option<&[u8]>, key: &[u8]) -> Result<PStr, OutOfMemory> {
        let mut name = PStrBuilder::new();
        match prefix {
            None => self.encode(key, &mut name)?,
            Some(prefix) => {
                name.extend(prefix)?;
                name.extend(b"%5B")?;
                self.encode(key, &mut name)?;
                name.extend(b"%5D")?;
            }
        }
        Ok(name.finish())
    }

    /// Appends `name=value`, after `separator` when it is not the first.
    pub fn push_pair(self, out: &mut PStrBuilder, separator: &[u8], name: &[u8], value: &[u8]) -> Result<(), OutOfMemory> {
        if !out.is_empty() {
            out.extend(separator)?;
        }
        out.extend(name)?;
        out.push(b'=')?;
        self.encode(value, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, rows, show};

    /// The sampled result is PHP's array for `name=1` as a path: `base/key/...`, with `[]` shown as the key 0.
    #[test]
    fn names_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/parse_str.tsv")) {
            let [query, expected] = &row[..] else {
                panic!("bad row")
            };
            let (name, _) = pairs(query, b"&").next().transpose()?.unwrap_or_default();
            let found = match parse_name(&name)? {
                None => String::new(),
                Some(name) => {
                    let mut path = vec![show(&name.base)];
                    path.extend(name.keys.iter().map(|key| match key {
                        Key::Append => "0".to_string(),
                        Key::Named(key) => show(key),
                    }));
                    path.join("/")
                }
            };
            samples.check(found, show(expected), format!("{}", show(query)));
        }
        Ok(())
    }

    #[test]
    fn builds() -> Result<(), OutOfMemory> {
        let mut out = PStrBuilder::new();
        let name = Encoding::Rfc1738.nested_name(Some(b"a"), b"b c")?;
        Encoding::Rfc1738.push_pair(&mut out, b"&", &name, b"x y")?;
        Encoding::Rfc3986.push_pair(&mut out, b"&amp;", b"z", b"x y")?;
        assert_eq!(out.as_bytes(), b"a%5Bb+c%5D=x+y&amp;z=x%20y");
        Ok(())
    }
}
