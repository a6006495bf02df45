//! sscanf and fscanf.

use super::charlist::ByteSet;
use jumbo_value::{HeapVec, OutOfMemory, PStr, Value};

/// The result of a scan.
pub struct Scan {
    /// One entry for each variable; null for those the text did not reach.
    pub values: HeapVec<Value>,
    /// How many conversions assigned; `None` when the text ended before the first (PHP's -1, or null for arrays).
    pub assigned: Option<usize>,
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScanError {
    /// A ValueError with this text.
    Value(Vec<u8>),
    Memory(OutOfMemory),
}

impl From<OutOfMemory> for ScanError {
    fn from(refused: OutOfMemory) -> ScanError {
        ScanError::Memory(refused)
    }
}

fn error<T>(text: &str) -> Result<T, ScanError> {
    Err(ScanError::Value(text.as_bytes().to_vec()))
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

enum Kind {
    Int { radix: u32, signed: bool },
    Float,
    Word,
    Char,
    Set { members: ByteSet, negated: bool },
    Position,
}

enum Item {
    Space,
    Literal(u8),
    Convert {
        kind: Kind,
        target: Option<usize>,
        width: usize,
    },
}

/// Reads the format. `targets` is how many variables the caller passed, `None` when the result is an array.
fn parse(format: &[u8], targets: Option<usize>) -> Result<(HeapVec<Item>, usize), ScanError> {
    let mut items = HeapVec::new();
    let mut at = 0;
    let mut next_target = 0;
    let (mut sequential, mut numbered) = (false, false);
    // How many conversions each variable has.
    let mut assigned = HeapVec::new();
    let peek = |at: usize| format.get(at).copied();
    let digits = |at: &mut usize| {
        let start = *at;
        let mut number = 0usize;
        while let Some(digit @ b'0'..=b'9') = peek(*at) {
            number = number
                .saturating_mul(10)
                .saturating_add(usize::from(digit - b'0'));
            *at += 1;
        }
        (*at > start).then_some(number)
    };
    while let Some(byte) = peek(at) {
        at += 1;
        if is_space(byte) {
            items.push(Item::Space)?;
            continue;
        }
        if byte != b'%' {
            items.push(Item::Literal(byte))?;
            continue;
        }
        if peek(at) == Some(b'%') {
            at += 1;
            items.push(Item::Literal(b'%'))?;
            continue;
        }
        let mut suppressed = false;
        let mut number = None;
        if peek(at) == Some(b'*') {
            suppressed = true;
            at += 1;
        } else {
            let start = at;
            number = digits(&mut at).filter(|_| peek(at) == Some(b'$'));
            at = if number.is_some() { at + 1 } else { start };
        }
        let width = digits(&mut at).unwrap_or(0);
        if matches!(peek(at), Some(b'l' | b'h' | b'L')) {
            at += 1;
        }
        let specifier = peek(at);
        at += 1;
        let kind = match specifier {
            Some(b'd' | b'D') => Kind::Int {
                radix: 10,
                signed: true,
            },
            Some(b'i') => Kind::Int {
                radix: 0,
                signed: true,
            },
            Some(b'o') => Kind::Int {
                radix: 8,
                signed: true,
            },
            Some(b'x' | b'X') => Kind::Int {
                radix: 16,
                signed: true,
            },
            Some(b'u') => Kind::Int {
                radix: 10,
                signed: false,
            },
            Some(b'f' | b'e' | b'E' | b'g') => Kind::Float,
            Some(b's') => Kind::Word,
            Some(b'c') => Kind::Char,
            Some(b'n') => Kind::Position,
            Some(b'[') => {
                let (members, negated, end) = parse_set(format, at)?;
                at = end;
                Kind::Set { members, negated }
            }
            other => {
                let mut text = b"Bad scan conversion character \"".to_vec();
                // A NUL ends PHP's message, and the format.
                if let Some(character) = other.filter(|character| *character != 0) {
                    text.extend([character, b'"']);
                }
                return Err(ScanError::Value(text));
            }
        };
        let target = if suppressed {
            None
        } else if let Some(number) = number {
            numbered = true;
            let out_of_range =
                number == 0 || targets.is_some_and(|targets| number > targets) || number > 4096;
            if out_of_range {
                return error("\"%n$\" argument index out of range");
            }
            Some(number - 1)
        } else {
            sequential = true;
            next_target += 1;
            Some(next_target - 1)
        };
        if sequential && numbered {
            return error("cannot mix \"%\" and \"%n$\" conversion specifiers");
        }
        if let Some(target) = target {
            while assigned.len() <= target {
                assigned.push(0u32)?;
            }
            assigned[target] += 1;
            if targets.is_some_and(|targets| target >= targets) {
                return error("Different numbers of variable names and field specifiers");
            }
            if numbered && assigned[target] > 1 {
                return error("Variable is assigned by multiple \"%n$\" conversion specifiers");
            }
        }
        items.push(Item::Convert {
            kind,
            target,
            width,
        })?;
    }
    if let Some(targets) = targets {
        if assigned.len() < targets || assigned.contains(&0) {
            return error("Variable is not assigned by any conversion specifiers");
        }
    }
    let count = targets.unwrap_or(assigned.len());
    Ok((items, count))
}

/// A character set after its `[`: members, whether they are excluded, and where the format goes on.
fn parse_set(format: &[u8], start: usize) -> Result<(ByteSet, bool, usize), ScanError> {
    let mut at = start;
    let mut members = ByteSet::EMPTY;
    let negated = format.get(at) == Some(&b'^');
    at += usize::from(negated);
    let mut is_first = true;
    loop {
        let Some(&byte) = format.get(at) else {
            return error("Unmatched [ in format string");
        };
        if byte == b']' && !is_first {
            return Ok((members, negated, at + 1));
        }
        is_first = false;
        match (format.get(at + 1), format.get(at + 2)) {
            (Some(b'-'), Some(&last)) if last != b']' => {
                for member in byte.min(last)..=byte.max(last) {
                    members.insert(member);
                }
                at += 3;
            }
            _ => {
                members.insert(byte);
                at += 1;
            }
        }
    }
}

/// The integer at the start of `text` (sign, prefix, digits) and how many bytes it takes; `None` when there is none.
fn integer(text: &[u8], radix: u32, signed: bool) -> Option<(Value, usize)> {
    let mut at = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let negative = text.first() == Some(&b'-');
    // A prefix is not taken after a sign.
    let has_prefix = at == 0 && matches!(text, [b'0', b'x' | b'X', ..]);
    let radix = match (radix, text.get(at)) {
        (0, _) if has_prefix => 16,
        (0, Some(b'0')) => 8,
        (0, _) => 10,
        (radix, _) => radix,
    };
    let is_digit = |byte: &u8| char::from(*byte).is_digit(radix);
    if radix == 16 && has_prefix && text.get(at + 2).is_some_and(is_digit) {
        at += 2;
    }
    let count = text[at..].iter().take_while(|byte| is_digit(byte)).count();
    if count == 0 {
        return None;
    }
    let mut value = 0i128;
    for digit in text[at..at + count]
        .iter()
        .filter_map(|&byte| char::from(byte).to_digit(radix))
    {
        value = (value * i128::from(radix) + i128::from(digit)).min(i128::from(u64::MAX) + 1);
    }
    let value = if negative { -value } else { value };
    let scanned = if signed {
        Value::from(value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64)
    } else {
        // An unsigned number that does not fit PHP's int is given as its digits.
        let overflows = value.unsigned_abs() > u128::from(u64::MAX);
        let wrapped = if overflows { u64::MAX } else { value as u64 };
        i64::try_from(wrapped).map_or_else(
            |_| Value::from(PStr::from(wrapped.to_string().as_str())),
            Value::from,
        )
    };
    Some((scanned, at + count))
}

/// The float at the start of `text`, and how many bytes it takes.
fn float(text: &[u8]) -> Option<(f64, usize)> {
    let digits = |from: usize| {
        text[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let mut at = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let whole = digits(at);
    at += whole;
    let mut fraction = 0;
    if text.get(at) == Some(&b'.') {
        fraction = digits(at + 1);
        at += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    let mut end = at;
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let exponent = text.get(at + 1 + sign..).map_or(0, |rest| {
            rest.iter().take_while(|b| b.is_ascii_digit()).count()
        });
        if exponent > 0 {
            end = at + 1 + sign + exponent;
        }
    }
    let number = std::str::from_utf8(&text[..end])
        .ok()?
        .trim_end_matches('.')
        .parse()
        .ok()?;
    Some((number, end))
}

/// Scans `text` by `format`. `targets` is how many variables were passed by reference, `None` for an array.
pub fn scan(text: &[u8], format: &[u8], targets: Option<usize>) -> Result<Scan, ScanError> {
    let (items, count) = parse(format, targets)?;
    let mut values = HeapVec::collect(std::iter::repeat_with(Value::null).take(count))?;
    let mut at = 0;
    let mut assigned = 0;
    // The text ended where something was still to be read, and nothing had been converted before.
    let mut ended = false;
    let mut converted = 0;
    for item in items {
        match item {
            Item::Space => {
                at += text[at..]
                    .iter()
                    .take_while(|&&byte| is_space(byte))
                    .count()
            }
            Item::Literal(expected) => match text.get(at) {
                Some(&byte) if byte == expected => at += 1,
                Some(_) => break,
                None => {
                    ended = true;
                    break;
                }
            },
            Item::Convert {
                kind,
                target,
                width,
            } => {
                if let Kind::Position = kind {
                    if let Some(slot) = target.and_then(|target| values.get_mut(target)) {
                        *slot = Value::from(i64::try_from(at).unwrap_or(i64::MAX));
                        assigned += 1;
                    }
                    converted += 1;
                    continue;
                }
                if !matches!(kind, Kind::Char | Kind::Set { .. }) {
                    at += text[at..]
                        .iter()
                        .take_while(|&&byte| is_space(byte))
                        .count();
                }
                if at >= text.len() {
                    ended = true;
                    break;
                }
                let rest = &text[at..];
                let window = if width == 0 {
                    rest
                } else {
                    &rest[..width.min(rest.len())]
                };
                let run = |belongs: &dyn Fn(u8) -> bool| {
                    window.iter().take_while(|&&byte| belongs(byte)).count()
                };
                let is_float = matches!(kind, Kind::Float);
                let is_number = is_float || matches!(kind, Kind::Int { .. });
                let found = match kind {
                    Kind::Int { radix, signed } => integer(window, radix, signed),
                    Kind::Float => {
                        float(window).map(|(value, length)| (Value::from(value), length))
                    }
                    Kind::Word => {
                        let length = run(&|byte| !is_space(byte));
                        Some((Value::bytes(&window[..length]), length))
                    }
                    Kind::Char => {
                        // Blanks before it are not passed over, and not taken either.
                        let window = &rest[..width.max(1).min(rest.len())];
                        let length = window.iter().take_while(|&&byte| !is_space(byte)).count();
                        Some((Value::bytes(&window[..length]), length))
                    }
                    Kind::Set { members, negated } => {
                        let length = run(&|byte| members.contains(byte) != negated);
                        (length > 0).then(|| (Value::bytes(&window[..length]), length))
                    }
                    Kind::Position => None,
                };
                let Some((value, length)) = found else {
                    // A sign or point alone at the end counts as the end of the text.
                    let is_start = matches!(rest, [b'+' | b'-'])
                        || is_float && matches!(rest, [b'.'] | [b'+' | b'-', b'.']);
                    ended = is_number && window.len() == rest.len() && is_start;
                    break;
                };
                at += length;
                converted += 1;
                if let Some(slot) = target.and_then(|target| values.get_mut(target)) {
                    *slot = value;
                    assigned += 1;
                }
            }
        }
    }
    Ok(Scan {
        values,
        assigned: (!ended || converted > 0).then_some(assigned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::number;
    use crate::pure::testdata::{Samples, rows, show};
    use jumbo_value::View;

    #[test]
    fn scans_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/sscanf.tsv")) {
            let [text, format, expected] = &row[..] else {
                panic!("bad row")
            };
            let found = match scan(text, format, None) {
                Err(ScanError::Value(text)) => show(&text),
                Err(ScanError::Memory(refused)) => return Err(refused),
                Ok(Scan { assigned: None, .. }) => "null".to_string(),
                Ok(Scan { values, .. }) => {
                    let one = |value: &Value| match value.view() {
                        View::Int(value) => format!("i{value}"),
                        View::Float(value) => {
                            let sign = if value < 0.0 { "-" } else { "" };
                            format!(
                                "f{sign}{}",
                                number::exponential(value, 6, false).replace("infe+0", "INF")
                            )
                        }
                        View::Str(bytes) => format!("s{}", show(bytes)),
                        _ => "null".to_string(),
                    };
                    values.iter().map(one).collect::<Vec<_>>().join("|")
                }
            };
            samples.check(
                found,
                show(expected),
                format!("{} {}", show(text), show(format)),
            );
        }
        Ok(())
    }

    #[test]
    fn variables_must_fit_the_format() {
        let check = |format: &str, targets, message: &str| {
            let found = scan(b"a b", format.as_bytes(), Some(targets)).map(|found| found.assigned);
            assert_eq!(found, Err(ScanError::Value(message.into())));
        };
        check(
            "%s",
            2,
            "Variable is not assigned by any conversion specifiers",
        );
        check(
            "%s %s %d",
            1,
            "Different numbers of variable names and field specifiers",
        );
        assert_eq!(scan(b"a", b"%s %s", Some(2)).unwrap().assigned, Some(1));
        assert_eq!(scan(b"", b"%s %s", Some(2)).unwrap().assigned, None);
    }
}
