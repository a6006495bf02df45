//! php.ini files: which settings they make, in the language of [`jumbo_syntax::ini`].

use jumbo_syntax::ini::{self, Error, Item, Mode, Names, Scalar};

/// A setting: name and value.
type Setting = (Vec<u8>, Vec<u8>);

/// Before anything is declared: the constants of error levels, and the process's environment.
struct Startup;

impl Names for Startup {
    fn constant(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let known = |word: &str, value: &str| name.eq_ignore_ascii_case(word.as_bytes()).then(|| value.as_bytes().to_vec());
        let literal = known("true", "1").or_else(|| known("false", "")).or_else(|| known("null", ""));
        let level = || {
            let (_, value) = ERROR_LEVELS.iter().find(|(level, _)| level.as_bytes() == name)?;
            Some(value.to_string().into_bytes())
        };
        literal.or_else(level)
    }
    fn variable(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(name);
        std::env::var_os(name).map(std::os::unix::ffi::OsStringExt::into_vec)
    }
}

const ERROR_LEVELS: [(&str, u32); 16] = [
    ("E_ALL", 30719),
    ("E_ERROR", 1),
    ("E_WARNING", 2),
    ("E_PARSE", 4),
    ("E_NOTICE", 8),
    ("E_CORE_ERROR", 16),
    ("E_CORE_WARNING", 32),
    ("E_COMPILE_ERROR", 64),
    ("E_COMPILE_WARNING", 128),
    ("E_USER_ERROR", 256),
    ("E_USER_WARNING", 512),
    ("E_USER_NOTICE", 1024),
    ("E_STRICT", 2048),
    ("E_RECOVERABLE_ERROR", 4096),
    ("E_DEPRECATED", 8192),
    ("E_USER_DEPRECATED", 16384),
];

fn text_of(value: Option<Scalar>) -> Vec<u8> {
    match value {
        Some(Scalar::Str(text)) => text,
        // The normal mode makes nothing else.
        _ => Vec::new(),
    }
}

/// The settings of a php.ini text, in order; with an error, those before it. Sections for a path or a host are passed over.
pub fn parse(text: &[u8]) -> (Vec<Setting>, Option<Error>) {
    let mut settings = Vec::new();
    let mut applies = true;
    let result = ini::parse(text, Mode::Normal, &mut Startup, &mut |item| match item {
        Item::Section(name) => {
            let special = |word: &str| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()));
            applies = !special("PATH=") && !special("HOST=");
        }
        Item::Entry { name, value } if applies => settings.push((name, text_of(value))),
        Item::Element { name, value, .. } if applies => settings.push((name, text_of(Some(value)))),
        Item::Entry { .. } | Item::Element { .. } => {}
    });
    (settings, result.err())
}

/// The value of a setting as a line of php.ini says it; a text that is no such value is taken as it is.
pub fn value(text: &[u8]) -> Vec<u8> {
    match parse(&[b"x=", text].concat()) {
        (settings, None) => settings.into_iter().next().map(|(_, value)| value).unwrap_or_default(),
        (_, Some(_)) => text.to_vec(),
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
        assert_eq!(parse(b"[x]\n; c\na = 1\nb=\"2\"\n").0.len(), 2);
        assert_eq!(parse(b"a=1\n[HOST=x]\nb=2\n").0.len(), 1);
    }
}
