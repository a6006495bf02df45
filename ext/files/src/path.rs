//! Names of files as text: basename, dirname, pathinfo, fnmatch.

use jumbo_abi::{Cx, PArray, PStr, Res, Value};

/// The last component without trailing slashes.
pub fn base(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|b| *b != b'/').map_or(0, |at| at + 1);
    let start = path[..end].iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
    &path[start..end]
}

/// The folder part: `.` when there is none, `/` at the root, empty for an empty path.
pub fn folder(path: &[u8]) -> &[u8] {
    if path.is_empty() {
        return b"";
    }
    let Some(end) = path.iter().rposition(|b| *b != b'/').map(|at| at + 1) else { return b"/" };
    let Some(slash) = path[..end].iter().rposition(|b| *b == b'/') else { return b"." };
    match path[..slash].iter().rposition(|b| *b != b'/') {
        Some(at) => &path[..at + 1],
        None => b"/",
    }
}

/// A path without `.`, `..` and double slashes; links are not looked at.
pub fn plain(path: &std::path::Path) -> std::path::PathBuf {
    use std::path::Component;
    let mut plain = std::path::PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

pub fn basename(_cx: &mut Cx, path: &PStr, suffix: &PStr) -> PStr {
    let name = base(path.as_bytes());
    let suffix = suffix.as_bytes();
    let name = if name.len() > suffix.len() { name.strip_suffix(suffix).unwrap_or(name) } else { name };
    if name.len() == path.len() { path.clone() } else { PStr::new(name) }
}

pub fn dirname(cx: &mut Cx, path: &PStr, levels: i64) -> Res<PStr> {
    if levels < 1 {
        return Err(cx.arg_value_error(2, "must be greater than or equal to 1"));
    }
    let mut at = path.as_bytes();
    for _ in 0..levels {
        let up = folder(at);
        if up == at {
            break;
        }
        at = up;
    }
    Ok(PStr::new(at))
}

const DIRNAME: i64 = 1;
const BASENAME: i64 = 2;
const EXTENSION: i64 = 4;
const FILENAME: i64 = 8;

pub fn pathinfo(_cx: &mut Cx, path: &PStr, flags: i64) -> Value {
    let mut parts = PArray::new();
    let bytes = path.as_bytes();
    if flags & DIRNAME != 0 {
        let dir = folder(bytes);
        if !dir.is_empty() {
            parts.set_sym(b"dirname", PStr::new(dir));
        }
    }
    let name = base(bytes);
    if flags & BASENAME != 0 {
        parts.set_sym(b"basename", PStr::new(name));
    }
    let dot = name.iter().rposition(|b| *b == b'.');
    if flags & EXTENSION != 0
        && let Some(dot) = dot
    {
        parts.set_sym(b"extension", PStr::new(&name[dot + 1..]));
    }
    if flags & FILENAME != 0 {
        parts.set_sym(b"filename", PStr::new(&name[..dot.unwrap_or(name.len())]));
    }
    if flags == DIRNAME | BASENAME | EXTENSION | FILENAME {
        return Value::from(parts);
    }
    parts.values().next().map_or_else(Value::empty_string, Value::copy_deref)
}

/// Flags of fnmatch, with PHP's (Linux's) numbers.
pub mod fnm {
    pub const PATHNAME: i64 = 1;
    pub const NOESCAPE: i64 = 2;
    pub const PERIOD: i64 = 4;
    pub const CASEFOLD: i64 = 16;
}

/// Does `name` match a shell pattern (POSIX fnmatch)?
pub fn matches(pattern: &[u8], name: &[u8], flags: i64) -> bool {
    matches_at(pattern, name, 0, flags)
}

fn fold(byte: u8, flags: i64) -> u8 {
    if flags & fnm::CASEFOLD != 0 { byte.to_ascii_lowercase() } else { byte }
}

/// A leading period that only a literal one may match.
fn is_hidden(name: &[u8], at: usize, flags: i64) -> bool {
    flags & fnm::PERIOD != 0
        && name.get(at) == Some(&b'.')
        && (at == 0 || flags & fnm::PATHNAME != 0 && name.get(at - 1) == Some(&b'/'))
}

/// Iterative with one point to return to, so that many stars cost no more than length times length.
fn matches_at(pattern: &[u8], name: &[u8], start: usize, flags: i64) -> bool {
    let (mut p, mut n) = (0, start);
    // Pattern place after the last star, and how far the star has reached.
    let mut retry: Option<(usize, usize)> = None;
    loop {
        let step = match pattern.get(p) {
            Some(b'*') => {
                let mut next = p;
                while pattern.get(next) == Some(&b'*') {
                    next += 1;
                }
                if is_hidden(name, n, flags) {
                    None
                } else {
                    retry = Some((next, n));
                    Some((next, n))
                }
            }
            None if n == name.len() => return true,
            None => None,
            Some(_) if n == name.len() => None,
            Some(b'?') => {
                let slash = flags & fnm::PATHNAME != 0 && name[n] == b'/';
                (!slash && !is_hidden(name, n, flags)).then_some((p + 1, n + 1))
            }
            Some(b'[') => match bracket(pattern, p, name[n], flags) {
                Some((end, hit)) => {
                    let slash = flags & fnm::PATHNAME != 0 && name[n] == b'/';
                    (hit && !slash && !is_hidden(name, n, flags)).then_some((end, n + 1))
                }
                // No closing bracket: a literal.
                None => (name[n] == b'[').then_some((p + 1, n + 1)),
            },
            Some(b'\\') if flags & fnm::NOESCAPE == 0 && p + 1 < pattern.len() => {
                (fold(pattern[p + 1], flags) == fold(name[n], flags)).then_some((p + 2, n + 1))
            }
            Some(byte) => (fold(*byte, flags) == fold(name[n], flags)).then_some((p + 1, n + 1)),
        };
        match step {
            Some((np, nn)) => (p, n) = (np, nn),
            None => {
                let Some((after, reached)) = retry else { return false };
                let slash = flags & fnm::PATHNAME != 0 && name.get(reached) == Some(&b'/');
                if reached >= name.len() || slash {
                    return false;
                }
                retry = Some((after, reached + 1));
                (p, n) = (after, reached + 1);
            }
        }
    }
}

/// A bracket expression at `pattern[open]`: place behind it, and whether `byte` is in it.
fn bracket(pattern: &[u8], open: usize, byte: u8, flags: i64) -> Option<(usize, bool)> {
    let mut p = open + 1;
    let negated = matches!(pattern.get(p), Some(b'!' | b'^'));
    if negated {
        p += 1;
    }
    let byte = fold(byte, flags);
    let mut hit = false;
    let mut first = true;
    loop {
        let mut low = *pattern.get(p)?;
        if low == b']' && !first {
            return Some((p + 1, hit != negated));
        }
        first = false;
        if low == b'[' && pattern.get(p + 1) == Some(&b':') {
            if let Some(end) = pattern[p + 2..].windows(2).position(|w| w == b":]") {
                let class = &pattern[p + 2..p + 2 + end];
                hit |= match class {
                    b"alpha" => byte.is_ascii_alphabetic(),
                    b"digit" => byte.is_ascii_digit(),
                    b"alnum" => byte.is_ascii_alphanumeric(),
                    b"upper" => byte.is_ascii_uppercase() || flags & fnm::CASEFOLD != 0 && byte.is_ascii_lowercase(),
                    b"lower" => byte.is_ascii_lowercase(),
                    b"space" => byte.is_ascii_whitespace() || byte == 11,
                    b"blank" => matches!(byte, b' ' | b'\t'),
                    b"punct" => byte.is_ascii_punctuation(),
                    b"xdigit" => byte.is_ascii_hexdigit(),
                    b"cntrl" => byte.is_ascii_control(),
                    b"graph" => byte.is_ascii_graphic(),
                    b"print" => byte.is_ascii_graphic() || byte == b' ',
                    _ => false,
                };
                p += end + 4;
                continue;
            }
        }
        if low == b'\\' && flags & fnm::NOESCAPE == 0 {
            p += 1;
            low = *pattern.get(p)?;
        }
        p += 1;
        let mut high = low;
        if pattern.get(p) == Some(&b'-') && pattern.get(p + 1).is_some_and(|b| *b != b']') {
            high = pattern[p + 1];
            p += 2;
            if high == b'\\' && flags & fnm::NOESCAPE == 0 {
                high = *pattern.get(p)?;
                p += 1;
            }
        }
        hit |= (fold(low, flags)..=fold(high, flags)).contains(&byte);
    }
}

pub fn fnmatch(cx: &mut Cx, pattern: &PStr, filename: &PStr, flags: i64) -> Res<bool> {
    crate::file::path_argument(cx, pattern, 1)?;
    crate::file::path_argument(cx, filename, 2)?;
    for (text, what) in [(filename, "Filename"), (pattern, "Pattern")] {
        if text.len() >= 4096 {
            cx.warning(format_args!("{what} exceeds the maximum allowed length of 4096 characters"))?;
            return Ok(false);
        }
    }
    Ok(matches(pattern.as_bytes(), filename.as_bytes(), flags))
}
