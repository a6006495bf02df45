//! Query strings: the names that parse_str (and request variables) make, and the pieces of http_build_query.

use super::url;

/// One step into nested arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// `[]`
    Append,
    /// `[key]`: a numeric one is an integer key by the array's own rule.
    Named(Vec<u8>),
}

/// What a name such as `a.b[x][]` stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub base: Vec<u8>,
    pub keys: Vec<Key>,
}

/// Reads a decoded name. `None` when PHP registers nothing for it.
pub fn parse_name(name: &[u8]) -> Option<Name> {
    // PHP handles names as C strings.
    let name = memchr::memchr(0, name).map_or(name, |end| &name[..end]);
    let start = name.iter().position(|&byte| byte != b' ')?;
    let name = &name[start..];
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let plain = |bytes: &[u8]| -> Vec<u8> {
        bytes
            .iter()
            .map(|&byte| {
                if matches!(byte, b' ' | b'.') {
                    b'_'
                } else {
                    byte
                }
            })
            .collect()
    };
    let Some(bracket) = memchr::memchr(b'[', name) else {
        return Some(Name {
            base: plain(name),
            keys: Vec::new(),
        });
    };
    let mut parsed = Name {
        base: plain(&name[..bracket]),
        keys: Vec::new(),
    };
    let mut rest = &name[bracket..];
    if bracket == 0 {
        // A name cannot begin with an index.
        return None;
    }
    while let [b'[', inner @ ..] = rest {
        let Some(end) = memchr::memchr(b']', inner) else {
            if parsed.keys.is_empty() {
                // Not an index after all.
                parsed.base.push(b'_');
                let tail = &rest[1..];
                parsed.base.extend(tail.iter().map(|&byte| {
                    if matches!(byte, b' ' | b'.' | b'[') {
                        b'_'
                    } else {
                        byte
                    }
                }));
            }
            break;
        };
        let key = &inner[..end];
        parsed.keys.push(if key.iter().all(is_space) {
            Key::Append
        } else {
            Key::Named(key.to_vec())
        });
        rest = &inner[end + 1..];
    }
    Some(parsed)
}

/// The pairs of a query string: decoded names and values. `separators` are those of `arg_separator.input`.
pub fn pairs<'q>(
    query: &'q [u8],
    separators: &'q [u8],
) -> impl Iterator<Item = (Vec<u8>, Vec<u8>)> + 'q {
    let parts = query
        .split(|byte| separators.contains(byte))
        .filter(|part| !part.is_empty());
    parts.map(|part| match memchr::memchr(b'=', part) {
        Some(at) => (
            url::url_decode(&part[..at]),
            url::url_decode(&part[at + 1..]),
        ),
        None => (url::url_decode(part), Vec::new()),
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
    pub fn encode(self, text: &[u8], out: &mut Vec<u8>) {
        match self {
            Encoding::Rfc1738 => url::url_encode(text, out),
            Encoding::Rfc3986 => url::raw_url_encode(text, out),
        }
    }

    /// The encoded name of element `key` in what is named `prefix` (encoded already; `None` at the top).
    pub fn nested_name(self, prefix: Option<&[u8]>, key: &[u8]) -> Vec<u8> {
        let mut name = Vec::new();
        match prefix {
            None => self.encode(key, &mut name),
            Some(prefix) => {
                name.extend_from_slice(prefix);
                name.extend_from_slice(b"%5B");
                self.encode(key, &mut name);
                name.extend_from_slice(b"%5D");
            }
        }
        name
    }

    /// Appends `name=value`, after `separator` when it is not the first.
    pub fn push_pair(self, out: &mut Vec<u8>, separator: &[u8], name: &[u8], value: &[u8]) {
        if !out.is_empty() {
            out.extend_from_slice(separator);
        }
        out.extend_from_slice(name);
        out.push(b'=');
        self.encode(value, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, rows, show};

    /// The sampled result is PHP's array for `name=1` as a path: `base/key/...`, with `[]` shown as the key 0.
    #[test]
    fn names_as_php() {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/parse_str.tsv")) {
            let [query, expected] = &row[..] else {
                panic!("bad row")
            };
            let (name, _) = pairs(query, b"&").next().unwrap_or_default();
            let found = match parse_name(&name) {
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
    }

    #[test]
    fn builds() {
        let mut out = Vec::new();
        let name = Encoding::Rfc1738.nested_name(Some(b"a"), b"b c");
        Encoding::Rfc1738.push_pair(&mut out, b"&", &name, b"x y");
        Encoding::Rfc3986.push_pair(&mut out, b"&amp;", b"z", b"x y");
        assert_eq!(out, b"a%5Bb+c%5D=x+y&amp;z=x%20y");
    }
}
