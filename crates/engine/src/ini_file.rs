//! php.ini files: `name = value`, sections, quotes, constants, `${ENV}`.

/// The settings of a php.ini text, in order. Lines that mean nothing are passed over, as PHP does.
pub fn parse(text: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    text.split(|&b| b == b'\n').filter_map(setting).collect()
}

fn setting(line: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let line = line.trim_ascii();
    if line.is_empty() || matches!(line[0], b';' | b'#' | b'[') {
        return None;
    }
    let Some(equals) = line.iter().position(|&b| b == b'=') else {
        return Some((line.to_vec(), Vec::new()));
    };
    let name = line[..equals].trim_ascii();
    Some((name.to_vec(), value(line[equals + 1..].trim_ascii())))
}

/// The value of a setting as written: quoted, or up to a comment.
pub fn value(text: &[u8]) -> Vec<u8> {
    if let Some(rest) = text.strip_prefix(b"\"") {
        let mut out = Vec::new();
        let mut bytes = rest.iter().copied().peekable();
        while let Some(b) = bytes.next() {
            match b {
                b'"' => break,
                b'\\' if matches!(bytes.peek(), Some(b'"' | b'\\')) => out.extend(bytes.next()),
                _ => out.push(b),
            }
        }
        return expand(&out);
    }
    if let Some(rest) = text.strip_prefix(b"'") {
        return rest.split(|&b| b == b'\'').next().unwrap_or(b"").to_vec();
    }
    let plain = text.split(|&b| b == b';').next().unwrap_or(b"").trim_ascii();
    match plain.to_ascii_lowercase().as_slice() {
        b"on" | b"yes" | b"true" => b"1".to_vec(),
        b"off" | b"no" | b"false" | b"none" => Vec::new(),
        b"null" => Vec::new(),
        _ => constant_expression(plain).unwrap_or_else(|| expand(plain)),
    }
}

/// `${NAME}` from the environment.
fn expand(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.windows(2).position(|w| w == b"${") {
        out.extend_from_slice(&rest[..at]);
        let Some(end) = rest[at..].iter().position(|&b| b == b'}') else { break };
        let name = String::from_utf8_lossy(&rest[at + 2..at + end]).into_owned();
        if let Some(v) = std::env::var_os(name) {
            out.extend_from_slice(std::os::unix::ffi::OsStrExt::as_bytes(v.as_os_str()));
        }
        rest = &rest[at + end + 1..];
    }
    out.extend_from_slice(rest);
    out
}

/// `E_ALL & ~E_NOTICE`: operators over numbers and error constants.
fn constant_expression(text: &[u8]) -> Option<Vec<u8>> {
    if !text.starts_with(b"E_") && !(text.iter().any(|b| matches!(b, b'&' | b'|' | b'~')) && text.contains(&b'E')) {
        return None;
    }
    let mut tokens = Tokens { text };
    let n = tokens.or()?;
    tokens.text.trim_ascii().is_empty().then(|| n.to_string().into_bytes())
}

struct Tokens<'a> {
    text: &'a [u8],
}

impl Tokens<'_> {
    fn eat(&mut self, b: u8) -> bool {
        self.text = self.text.trim_ascii_start();
        if self.text.first() == Some(&b) {
            self.text = &self.text[1..];
            return true;
        }
        false
    }
    fn or(&mut self) -> Option<i64> {
        let mut n = self.and()?;
        loop {
            if self.eat(b'|') {
                n |= self.and()?;
            } else if self.eat(b'^') {
                n ^= self.and()?;
            } else {
                return Some(n);
            }
        }
    }
    fn and(&mut self) -> Option<i64> {
        let mut n = self.unary()?;
        while self.eat(b'&') {
            n &= self.unary()?;
        }
        Some(n)
    }
    fn unary(&mut self) -> Option<i64> {
        if self.eat(b'~') {
            return Some(!self.unary()?);
        }
        if self.eat(b'(') {
            let n = self.or()?;
            return self.eat(b')').then_some(n);
        }
        self.text = self.text.trim_ascii_start();
        let end = self.text.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_').unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        let word = std::str::from_utf8(word).ok()?;
        Some(match word {
            "E_ALL" => 30719,
            "E_ERROR" => 1,
            "E_WARNING" => 2,
            "E_PARSE" => 4,
            "E_NOTICE" => 8,
            "E_CORE_ERROR" => 16,
            "E_CORE_WARNING" => 32,
            "E_COMPILE_ERROR" => 64,
            "E_COMPILE_WARNING" => 128,
            "E_USER_ERROR" => 256,
            "E_USER_WARNING" => 512,
            "E_USER_NOTICE" => 1024,
            "E_STRICT" => 2048,
            "E_RECOVERABLE_ERROR" => 4096,
            "E_DEPRECATED" => 8192,
            "E_USER_DEPRECATED" => 16384,
            _ => word.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        assert_eq!(value(b"\"a;b\" ; c"), b"a;b");
        assert_eq!(value(b"On"), b"1");
        assert_eq!(value(b"E_ALL & ~E_NOTICE"), b"30711");
        assert_eq!(value(b"128M ; limit"), b"128M");
        assert_eq!(parse(b"[x]\n; c\na = 1\nb=\"2\"\n").len(), 2);
    }
}
