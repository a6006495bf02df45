//! What may differ between two right answers to one request, declared: patterns and what stands in their place before bodies are compared.
//!
//! A target's patterns are part of its results (they are saved with them): whoever doubts a comparison can see what it overlooked.

use regex::bytes::{NoExpand, Regex};
use std::borrow::Cow;

/// Patterns with their replacements, applied in order.
#[derive(Debug)]
pub struct Normaliser {
    rules: Vec<(Regex, Vec<u8>)>,
}

impl Normaliser {
    /// Patterns are those of the `regex` crate, over bytes; replacements are literal.
    pub fn new(rules: &[(impl AsRef<str>, impl AsRef<str>)]) -> Result<Normaliser, String> {
        let compile = |(pattern, replacement): &(_, _)| {
            let pattern: &str = AsRef::<str>::as_ref(pattern);
            let regex = regex::bytes::RegexBuilder::new(pattern).unicode(false).build().map_err(|e| e.to_string())?;
            Ok((regex, AsRef::<str>::as_ref(replacement).as_bytes().to_vec()))
        };
        Ok(Normaliser { rules: rules.iter().map(compile).collect::<Result<_, String>>()? })
    }

    pub fn apply<'a>(&self, body: &'a [u8]) -> Cow<'a, [u8]> {
        let mut result = Cow::Borrowed(body);
        for (pattern, replacement) in &self.rules {
            if let Cow::Owned(changed) = pattern.replace_all(&result, NoExpand(replacement)) {
                result = Cow::Owned(changed);
            }
        }
        result
    }
}

/// The first lines that differ between two normalised bodies, for a message.
pub fn first_difference(one: &[u8], other: &[u8]) -> String {
    let lines = |text: &[u8]| text.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (one, other) = (lines(one), lines(other));
    let at = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let show = |lines: &[Vec<u8>]| lines.get(at).map_or("(it ends here)".to_owned(), |line| excerpt(line, 160));
    format!("line {}: `{}` is not `{}`", at + 1, show(&one), show(&other))
}

/// Bytes as one short line of text.
pub fn excerpt(bytes: &[u8], characters_max: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() > characters_max { words.chars().take(characters_max).chain("…".chars()).collect() } else { words }
}

/// The text of a page without its markup, as one short line: what an error page says.
pub fn text_of(page: &[u8], characters_max: usize) -> String {
    const MARKUP: [&str; 4] = ["(?is)<head\\b.*?</head>", "(?is)<style\\b.*?</style>", "(?is)<script\\b.*?</script>", "(?s)<[^>]*>"];
    match Normaliser::new(&MARKUP.map(|pattern| (pattern, " "))) {
        Ok(markup) => excerpt(&markup.apply(page), characters_max),
        Err(_) => excerpt(page, characters_max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_apply_in_order_and_literally() {
        let normaliser = Normaliser::new(&[("[0-9]+", "$0"), ("x+", "y")]).unwrap();
        assert_eq!(&*normaliser.apply(b"a 12 xx \xff"), b"a $0 y \xff");
        assert!(matches!(normaliser.apply(b"nothing"), Cow::Borrowed(_)));
        assert!(Normaliser::new(&[("(", "")]).is_err());
    }

    #[test]
    fn pages_have_text() {
        assert_eq!(text_of(b"<html><head><title>x</title></head><body><h1>Fatal</h1>\n<p class=\"a\">error</p><script>1 < 2</script>", 50), "Fatal error");
        assert_eq!(text_of(b"plain \xff", 50), "plain \u{fffd}");
    }

    #[test]
    fn differences_are_told_by_line() {
        assert_eq!(first_difference(b"a\nb", b"a\nc"), "line 2: `b` is not `c`");
        assert_eq!(first_difference(b"a", b"a\nc"), "line 2: `(it ends here)` is not `c`");
    }
}
