//! Turns `name=value` input into variables: query strings, urlencoded bodies and cookies.
//!
//! The rules of names (PHP manual, "Variables From External Sources"), as stock PHP 8.4 behaves:
//! - leading spaces go, a NUL ends the name, `.` and space become `_` before the first `[`;
//! - `a[b][c]` nests, `a[]` appends (also with one white-space character between the brackets);
//! - a first `[` without its `]` becomes `_`, and then the rest of the name is made a plain name too; a later one
//!   ends the name; what stands between `]` and the next thing that is not `[` is ignored;
//! - more than `max_input_nesting_level` brackets drop the variable, *and* what its top-level name held.
//!
//! `max_input_vars` counts pieces, also those that define nothing; the three sources count differently at the
//! edge (see the functions), which programs can see.

use super::tree::{Key, Map, Tree};
use super::{Diagnostic, InputLimits};

/// Variables of one source, with what PHP would report while it starts the request.
#[derive(Clone, Debug, Default)]
pub struct Decoded {
    pub variables: Map,
    pub diagnostics: Vec<Diagnostic>,
}

/// Decodes a query string as `$_GET` has it.
pub fn parse_query(query: &[u8], limits: &InputLimits) -> Decoded {
    let mut decoded = Decoded::default();
    let mut count = 0;
    for piece in query
        .split(|b| limits.arg_separators.contains(b))
        .filter(|piece| !piece.is_empty())
    {
        count += 1;
        if count > limits.max_input_vars {
            decoded
                .diagnostics
                .push(Diagnostic::too_many_variables(limits));
            break;
        }
        let (name, value) = split_pair(piece);
        let value = Tree::Leaf(url_decode(value, true));
        decoded.diagnostics.extend(register(
            &mut decoded.variables,
            &url_decode(name, true),
            value,
            limits,
        ));
    }
    decoded
}

/// Decodes an `application/x-www-form-urlencoded` body as `$_POST` has it.
///
/// Always separated by `&`, and the variable that exceeds the limit is still taken: only the next one is not.
pub fn parse_form(body: &[u8], limits: &InputLimits) -> Decoded {
    let mut decoded = Decoded::default();
    let mut count = 0;
    if body.is_empty() {
        return decoded;
    }
    for piece in body.split(|&b| b == b'&') {
        if !piece.is_empty() {
            let (name, value) = split_pair(piece);
            let value = Tree::Leaf(url_decode(value, true));
            decoded.diagnostics.extend(register(
                &mut decoded.variables,
                &url_decode(name, true),
                value,
                limits,
            ));
        }
        count += 1;
        if count > limits.max_input_vars {
            decoded
                .diagnostics
                .push(Diagnostic::too_many_variables(limits));
            break;
        }
    }
    decoded
}

/// Decodes a `Cookie` header as `$_COOKIE` has it: names are taken as they are, `+` stays, and of several plain
/// cookies with one name the first wins (browsers send the most specific path first).
pub fn parse_cookies(header: &[u8], limits: &InputLimits) -> Decoded {
    let mut decoded = Decoded::default();
    let mut count = 0;
    for piece in header
        .split(|&b| b == b';')
        .filter(|piece| !piece.is_empty())
    {
        let trimmed = &piece[piece.iter().take_while(|b| is_space(**b)).count()..];
        let (name, value) = split_pair(trimmed);
        if name.is_empty() {
            continue;
        }
        count += 1;
        if count > limits.max_input_vars {
            decoded
                .diagnostics
                .push(Diagnostic::too_many_variables(limits));
            break;
        }
        let value = Tree::Leaf(url_decode(value, false));
        decoded
            .diagnostics
            .extend(set(&mut decoded.variables, name, value, limits, true));
    }
    decoded
}

fn split_pair(piece: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memchr(b'=', piece) {
        Some(at) => (&piece[..at], &piece[at + 1..]),
        None => (piece, b""),
    }
}

/// Decodes `%XX`, and `+` as a space when `plus` says so. What is not two hex digits stays as it is.
pub fn url_decode(input: &[u8], plus: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(input.len());
    let mut rest = input;
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        match (first, tail) {
            (b'+', _) if plus => out.push(b' '),
            (b'%', [high, low, after @ ..]) => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => {
                    out.push(high << 4 | low);
                    rest = after;
                }
                _ => out.push(b'%'),
            },
            _ => out.push(first),
        }
    }
    out
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|n| n as u8)
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Sets the variable that `name` (already decoded) describes. Later values replace earlier ones.
pub fn register(
    into: &mut Map,
    name: &[u8],
    value: Tree,
    limits: &InputLimits,
) -> Option<Diagnostic> {
    set(into, name, value, limits, false)
}

/// One step of a bracketed name.
enum Step {
    Append,
    Into(Key),
}

fn set(
    into: &mut Map,
    name: &[u8],
    value: Tree,
    limits: &InputLimits,
    cookie: bool,
) -> Option<Diagnostic> {
    let name = &name[name.iter().take_while(|b| **b == b' ').count()..];
    let name = &name[..memchr::memchr(0, name).unwrap_or(name.len())];
    let bracket = memchr::memchr(b'[', name);
    let mut top: Vec<u8> = mangle(&name[..bracket.unwrap_or(name.len())], false);
    if top.is_empty() {
        return None;
    }
    let steps = match bracket {
        None => Vec::new(),
        Some(at) => match steps(&name[at..], limits.max_input_nesting_level) {
            Brackets::TooDeep => {
                into.remove(&Key::from_bytes(&top));
                return Some(Diagnostic::nested_too_deeply(limits));
            }
            Brackets::Unclosed => {
                top.extend_from_slice(&mangle(&name[at..], true));
                Vec::new()
            }
            Brackets::Steps(steps) => steps,
        },
    };
    // `__Host-` and `__Secure-` promise attributes that a name which only looks so after mangling does not have.
    // PHP looks at the keys in brackets with the same eyes.
    let forged = |key: &[u8]| {
        let has_only_now = |prefix: &[u8]| key.starts_with(prefix) && !name.starts_with(prefix);
        cookie && (has_only_now(b"__Host-") || has_only_now(b"__Secure-"))
    };
    if forged(&top) {
        return None;
    }
    let top = Key::from_bytes(&top);
    if cookie && steps.is_empty() && into.contains(&top) {
        return None;
    }
    let mut place = into.entry(top);
    for step in steps {
        if !matches!(place, Tree::Node(_)) {
            *place = Tree::Node(Map::new());
        }
        let Tree::Node(map) = place else { return None };
        place = match step {
            Step::Into(Key::Bytes(bytes)) if forged(&bytes) => return None,
            Step::Into(key) => map.entry(key),
            Step::Append => map.append()?,
        };
    }
    *place = value;
    None
}

/// `.` and space become `_`; in the rest of an unclosed name `[` does too.
fn mangle(name: &[u8], brackets: bool) -> Vec<u8> {
    name.iter()
        .map(|&b| {
            if b == b'.' || b == b' ' || (brackets && b == b'[') {
                b'_'
            } else {
                b
            }
        })
        .collect()
}

enum Brackets {
    Steps(Vec<Step>),
    Unclosed,
    TooDeep,
}

/// Reads `[a][b]...`; `rest` begins with a bracket.
fn steps(rest: &[u8], depth_max: usize) -> Brackets {
    let mut steps = Vec::new();
    let mut rest = rest;
    while let [b'[', inner @ ..] = rest {
        if steps.len() >= depth_max {
            return Brackets::TooDeep;
        }
        rest = match inner {
            [b']', after @ ..] => {
                steps.push(Step::Append);
                after
            }
            [space, b']', after @ ..] if is_space(*space) => {
                steps.push(Step::Append);
                after
            }
            _ => match memchr::memchr(b']', inner) {
                Some(end) => {
                    steps.push(Step::Into(Key::from_bytes(&inner[..end])));
                    &inner[end + 1..]
                }
                None if steps.is_empty() => return Brackets::Unclosed,
                None => break,
            },
        };
    }
    Brackets::Steps(steps)
}
