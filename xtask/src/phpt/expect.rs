//! Compares a test's output with what it expects.
//!
//! EXPECTF's placeholders become a regular expression; PCRE itself matches, because `%r...%r` and EXPECTREGEX hold
//! PCRE syntax. The placeholders are those of <https://qa.php.net/phpt_details.php>.

use super::section::Expectation;
use pcre2::bytes::{Regex, RegexBuilder};
use similar::{ChangeTag, TextDiff};

impl Expectation {
    /// Whether the normalised output satisfies the expectation; the error is a fault of the test or of the matcher.
    pub fn matches(&self, output: &[u8]) -> Result<bool, String> {
        match self {
            Expectation::Exact(text) => Ok(text == output),
            Expectation::Format(format) => {
                // Most outputs contain no placeholder that is exercised: the plain comparison is cheaper and final.
                if format == output {
                    return Ok(true);
                }
                regex(&format_to_regex(format))?.is_match(output).map_err(|e| e.to_string())
            }
            Expectation::Regex(pattern) => {
                let pattern = format!("^{}$", latin1(pattern));
                regex(&pattern)?.is_match(output).map_err(|e| e.to_string())
            }
        }
    }

    /// What differs, line by line, in the manner of `diff -u`. For formats a line that matches its format is equal.
    pub fn difference(&self, output: &[u8]) -> String {
        let expected = match self {
            Expectation::Exact(text) | Expectation::Format(text) | Expectation::Regex(text) => text,
        };
        let mut expected_lines: Vec<&[u8]> = expected.split(|&b| b == b'\n').collect();
        let output_lines: Vec<&[u8]> = output.split(|&b| b == b'\n').collect();
        if matches!(self, Expectation::Format(_)) {
            // Where a line satisfies the format at the same distance from the start or the end, show it as equal.
            let (expected_count, output_count) = (expected_lines.len(), output_lines.len());
            for (i, line) in expected_lines.iter_mut().enumerate() {
                if !line.contains(&b'%') {
                    continue;
                }
                let from_end = (output_count + i).checked_sub(expected_count);
                let same = [Some(i), from_end].into_iter().flatten().filter_map(|at| output_lines.get(at)).find(|out| {
                    regex(&format_to_regex(line)).and_then(|r| r.is_match(out).map_err(|e| e.to_string())) == Ok(true)
                });
                if let Some(same) = same {
                    *line = same;
                }
            }
        }
        let diff = TextDiff::from_slices(&expected_lines, &output_lines);
        let mut text = String::new();
        for group in diff.grouped_ops(2) {
            for op in &group {
                for change in diff.iter_changes(op) {
                    let sign = match change.tag() {
                        ChangeTag::Delete => '-',
                        ChangeTag::Insert => '+',
                        ChangeTag::Equal => ' ',
                    };
                    text.push(sign);
                    text.push_str(&String::from_utf8_lossy(change.value()));
                    text.push('\n');
                }
            }
            text.push_str("~\n");
        }
        text
    }
}

/// Patterns are bytes, and so is the output: every byte is written as the character of the same number, which PCRE
/// without UTF mode reads back through `\x{..}`.
fn latin1(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &b in bytes {
        if b.is_ascii() {
            text.push(char::from(b));
        } else {
            text.push_str(&format!("\\x{b:02x}"));
        }
    }
    text
}

fn regex(pattern: &str) -> Result<Regex, String> {
    // Long outputs with many placeholders need more than PCRE's default stack.
    let mut builder = RegexBuilder::new();
    builder.dotall(true).jit_if_available(true).max_jit_stack_size(Some(16 << 20));
    builder.build(pattern).map_err(|e| e.to_string())
}

/// The regular expression that an EXPECTF text stands for, anchored at both ends.
fn format_to_regex(format: &[u8]) -> String {
    let mut pattern = String::with_capacity(format.len() * 2 + 2);
    pattern.push('^');
    let mut rest = format;
    while let Some(at) = find(rest, b"%r") {
        placeholders(&rest[..at], true, &mut pattern);
        let inside = &rest[at + 2..];
        let Some(end) = find(inside, b"%r") else {
            // Without an end the mark is text.
            rest = &rest[at..];
            break;
        };
        pattern.push('(');
        placeholders(&inside[..end], false, &mut pattern);
        pattern.push(')');
        rest = &inside[end + 2..];
    }
    placeholders(rest, true, &mut pattern);
    pattern.push('$');
    pattern
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

/// Translates the placeholders in `text`; everything else is literal if `quoted`, else it is regular expression.
fn placeholders(text: &[u8], quoted: bool, pattern: &mut String) {
    let mut bytes = text.iter().copied().peekable();
    while let Some(b) = bytes.next() {
        let meaning = if b == b'%' { bytes.peek().and_then(|&letter| meaning(letter)) } else { None };
        if let Some(meaning) = meaning {
            bytes.next();
            pattern.push_str(meaning);
        } else if !b.is_ascii() || b == 0 {
            pattern.push_str(&format!("\\x{b:02x}"));
        } else {
            if quoted && !b.is_ascii_alphanumeric() && b != b'_' && !b.is_ascii_whitespace() && !b.is_ascii_control() {
                pattern.push('\\');
            }
            pattern.push(char::from(b));
        }
    }
}

fn meaning(letter: u8) -> Option<&'static str> {
    Some(match letter {
        b'e' => "\\/",
        b's' => "[^\\r\\n]+",
        b'S' => "[^\\r\\n]*",
        b'a' => ".+?",
        b'A' => ".*?",
        b'w' => "\\s*",
        b'i' => "[+-]?\\d+",
        b'd' => "\\d+",
        b'x' => "[0-9a-fA-F]+",
        b'f' => "[+-]?(?:\\d+|(?=\\.\\d))(?:\\.\\d+)?(?:[Ee][+-]?\\d+)?",
        b'c' => ".",
        b'0' => "\\x00",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::Expectation;

    #[track_caller]
    fn check(format: &str, output: &[u8], expected: bool) {
        assert_eq!(Expectation::Format(format.into()).matches(output), Ok(expected), "{format:?}");
    }

    #[test]
    fn placeholders() {
        check("100% x %d %0 %r[z]%r", b"100% x 3 \0 z", true);
        check("%r(a|b)*%r %r[z]%r", b"ab z", true);
        check("%a\n%Ab%A", b"a\n\nb", true);
        check("resource(%d) %i %i %f %f %x %c", b"resource(5) +5 -5 1.5E+7 -.5 afF X", true);
        check("a%e%w%S%w%s%w", b"a/  b", true);
        check("%d%%d y", b"5%5 y", true);
        check("%d", b"-5", false);
        check("%f", b"5.", false);
        check("%s", b"a\nb", false);
        check("a%bx", b"a0x", false);
        check("%rfoo|%d items%r", b"12 items", true);
        check("%r%%r", b"%", true);
        check("\u{e9}%s", "\u{e9}x".as_bytes(), true);
    }

    #[test]
    fn regex_is_not_grouped() {
        assert_eq!(Expectation::Regex(b"b|a|c".to_vec()).matches(b"xax"), Ok(true));
        assert_eq!(Expectation::Regex(b"ab".to_vec()).matches(b"xab"), Ok(false));
    }
}
