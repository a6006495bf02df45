//! Reads a .phpt file into its sections, as <https://qa.php.net/phpt_details.php> describes them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Every section that exists; anything else makes the test invalid, as it does for PHP's own runner.
const KNOWN: &[&str] = &[
    "TEST", "DESCRIPTION", "CREDITS", "SKIPIF", "CONFLICTS", "WHITESPACE_SENSITIVE", "CAPTURE_STDIO", "EXTENSIONS",
    "POST", "PUT", "POST_RAW", "GZIP_POST", "DEFLATE_POST", "GET", "COOKIE", "INI", "ENV", "STDIN", "ARGS", "CGI",
    "PHPDBG", "FILE", "FILEEOF", "FILE_EXTERNAL", "REDIRECTTEST", "EXPECT", "EXPECTF", "EXPECTREGEX",
    "EXPECT_EXTERNAL", "EXPECTF_EXTERNAL", "EXPECTREGEX_EXTERNAL", "EXPECTHEADERS", "XFAIL", "XLEAK", "FLAKY", "CLEAN",
];

/// Sections that only a web request has: a test with one of them runs under CGI.
const WEB: &[&str] =
    &["CGI", "GET", "POST", "GZIP_POST", "DEFLATE_POST", "POST_RAW", "PUT", "COOKIE", "EXPECTHEADERS"];

/// A parsed test file.
pub struct Phpt {
    sections: BTreeMap<String, Vec<u8>>,
}

/// Which comparison a test asks for.
pub enum Expectation {
    Exact(Vec<u8>),
    Format(Vec<u8>),
    Regex(Vec<u8>),
}

impl Phpt {
    /// Reads and checks `path`; the error says what is wrong with the test file.
    pub fn read(path: &Path) -> Result<Phpt, String> {
        let bytes = fs::read(path).map_err(|e| format!("cannot read: {e}"))?;
        let mut sections: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let mut current: Option<String> = None;
        // In the script nothing after a line "===DONE===" counts.
        let mut done = false;
        for line in bytes.split_inclusive(|&b| b == b'\n') {
            if let Some(name) = section_name(line) {
                if current.is_none() && name != "TEST" {
                    return Err("does not start with --TEST--".to_owned());
                }
                if !KNOWN.contains(&name) {
                    return Err(format!("unknown section {name:?}"));
                }
                if sections.contains_key(name) {
                    return Err(format!("duplicated section {name:?}"));
                }
                sections.insert(name.to_owned(), Vec::new());
                current = Some(name.to_owned());
                done = false;
                continue;
            }
            let Some(name) = &current else { return Err("does not start with --TEST--".to_owned()) };
            if done {
                continue;
            }
            if let Some(section) = sections.get_mut(name) {
                section.extend_from_slice(line);
            }
            if name == "FILE" && line.trim_ascii_end() == b"===DONE===" {
                done = true;
            }
        }
        let mut phpt = Phpt { sections };
        phpt.load_external(path)?;
        if phpt.has("REDIRECTTEST") {
            return Ok(phpt);
        }
        if !phpt.has("FILE") {
            return Err("no section FILE".to_owned());
        }
        match ["EXPECT", "EXPECTF", "EXPECTREGEX"].iter().filter(|name| phpt.has(name)).count() {
            1 => Ok(phpt),
            0 => Err("no section EXPECT, EXPECTF or EXPECTREGEX".to_owned()),
            _ => Err("more than one of EXPECT, EXPECTF and EXPECTREGEX".to_owned()),
        }
    }

    /// Brings FILEEOF and the sections that name a file into the form of the plain sections.
    fn load_external(&mut self, path: &Path) -> Result<(), String> {
        if let Some(mut script) = self.sections.remove("FILEEOF") {
            while script.last().is_some_and(|&b| b == b'\n' || b == b'\r') {
                script.pop();
            }
            self.sections.insert("FILE".to_owned(), script);
        }
        for plain in ["FILE", "EXPECT", "EXPECTF", "EXPECTREGEX"] {
            let Some(name) = self.sections.remove(&format!("{plain}_EXTERNAL")) else { continue };
            let name = String::from_utf8_lossy(name.trim_ascii()).into_owned();
            // The file stands in the test's folder or below it; leaving it is not allowed.
            let file = path.parent().unwrap_or(Path::new("/")).join(name.replace("..", ""));
            let bytes = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            self.sections.insert(plain.to_owned(), bytes);
        }
        Ok(())
    }

    pub fn has(&self, name: &str) -> bool {
        self.sections.contains_key(name)
    }

    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.sections.get(name).map(Vec::as_slice)
    }

    /// A section with something in it besides white space.
    pub fn filled(&self, name: &str) -> Option<&[u8]> {
        self.get(name).filter(|section| !section.trim_ascii().is_empty())
    }

    pub fn is_web(&self) -> bool {
        WEB.iter().any(|name| self.has(name))
    }

    pub fn expectation(&self) -> Expectation {
        let text = |name| self.get(name).map(normalised);
        if let Some(text) = text("EXPECTF") {
            Expectation::Format(text)
        } else if let Some(text) = text("EXPECTREGEX") {
            Expectation::Regex(text)
        } else {
            Expectation::Exact(text("EXPECT").unwrap_or_default())
        }
    }

    /// The non-empty trimmed lines of a section.
    pub fn lines(&self, name: &str) -> Vec<String> {
        let section = self.get(name).unwrap_or_default();
        let lines = section.split(|&b| b == b'\n').map(|line| String::from_utf8_lossy(line.trim_ascii()).into_owned());
        lines.filter(|line| !line.is_empty()).collect()
    }

    /// The lines `name=value` of a section: names are text, values are bytes.
    pub fn pairs(&self, name: &str) -> Vec<(String, Vec<u8>)> {
        let section = self.get(name).unwrap_or_default();
        let pairs = section.split(|&b| b == b'\n').filter_map(|line| {
            let at = line.iter().position(|&b| b == b'=')?;
            let name = String::from_utf8_lossy(line[..at].trim_ascii()).into_owned();
            Some((name, line[at + 1..].trim_ascii().to_vec()))
        });
        pairs.filter(|(name, _)| !name.is_empty()).collect()
    }
}

/// Output and expectation are compared without surrounding white space (PHP's `trim`) and with Unix line ends.
pub fn normalised(text: &[u8]) -> Vec<u8> {
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0 | 0x0b);
    let start = text.iter().position(|b| !blank(b)).unwrap_or(text.len());
    let end = text.iter().rposition(|b| !blank(b)).map_or(start, |last| last + 1);
    let text = &text[start..end];
    let mut out = Vec::with_capacity(text.len());
    for (i, &b) in text.iter().enumerate() {
        if b != b'\r' || text.get(i + 1) != Some(&b'\n') {
            out.push(b);
        }
    }
    out
}

/// `text` with every `from` replaced.
pub fn replaced(text: &[u8], from: &str, to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(from.len()).position(|window| window == from.as_bytes()) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    out.extend_from_slice(rest);
    out
}

/// `NAME` if the line begins with `--NAME--`.
fn section_name(line: &[u8]) -> Option<&str> {
    let rest = line.strip_prefix(b"--")?;
    let length = rest.iter().position(|&b| !(b.is_ascii_uppercase() || b == b'_'))?;
    let (name, rest) = rest.split_at(length);
    if name.is_empty() || !rest.starts_with(b"--") {
        return None;
    }
    std::str::from_utf8(name).ok()
}

#[cfg(test)]
mod tests {
    use super::{normalised, section_name};

    #[test]
    fn section_names() {
        assert_eq!(section_name(b"--TEST--\n"), Some("TEST"));
        assert_eq!(section_name(b"--POST_RAW--"), Some("POST_RAW"));
        assert_eq!(section_name(b"---TEST--\n"), None);
        assert_eq!(section_name(b"----\n"), None);
        assert_eq!(section_name(b"-- --\n"), None);
    }

    #[test]
    fn line_ends_and_margins() {
        assert_eq!(normalised(b"\r\n a\r\nb\rc \0\x0b\n"), b"a\nb\rc");
        assert_eq!(normalised(b" \n"), b"");
    }
}
