//! pack and unpack.

use jumbo_value::{HeapVec, Key, OutOfMemory, PArray, PStr, PStrBuilder, Value};

/// What is packed; each item is converted only when a code asks for it.
pub trait Arguments {
    type Error: From<OutOfMemory>;
    fn count(&self) -> usize;
    fn int(&mut self, index: usize) -> Result<i64, Self::Error>;
    fn float(&mut self, index: usize) -> Result<f64, Self::Error>;
    fn bytes(&mut self, index: usize, use_bytes: &mut dyn FnMut(&[u8]) -> Result<(), OutOfMemory>) -> Result<(), Self::Error>;
    /// An E_WARNING, without the name of the function.
    fn warning(&mut self, message: &str) -> Result<(), Self::Error>;
}

/// Why packing stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackError<E> {
    Argument(E),
    /// A ValueError with this text.
    Value(Vec<u8>),
}

impl<E: From<OutOfMemory>> From<OutOfMemory> for PackError<E> {
    fn from(refused: OutOfMemory) -> Self {
        PackError::Argument(refused.into())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    None,
    Star,
    Number(usize),
}

/// The count that a number is for pack, which reads it with C's atoi: that keeps 32 bits, of which negative ones count nothing.
fn in_32_bits(number: i64) -> usize {
    usize::try_from(number as i32).unwrap_or(0)
}

/// Reads a code and its count, which `numbers` makes of its digits.
fn code(format: &[u8], at: &mut usize, numbers: fn(i64) -> usize) -> Option<(u8, Count)> {
    let code = *format.get(*at)?;
    *at += 1;
    let count = match format.get(*at) {
        Some(b'*') => {
            *at += 1;
            Count::Star
        }
        Some(b'0'..=b'9') => {
            let mut number = 0i64;
            while let Some(digit @ b'0'..=b'9') = format.get(*at) {
                number = number
                    .saturating_mul(10)
                    .saturating_add(i64::from(digit - b'0'));
                *at += 1;
            }
            Count::Number(numbers(number))
        }
        _ => Count::None,
    };
    Some((code, count))
}

/// How many bytes an integer or float code has; 0 for others.
fn number_size(code: u8) -> usize {
    match code {
        b'c' | b'C' => 1,
        b's' | b'S' | b'n' | b'v' => 2,
        b'i' | b'I' | b'l' | b'L' | b'N' | b'V' | b'f' | b'g' | b'G' => 4,
        b'q' | b'Q' | b'J' | b'P' | b'd' | b'e' | b'E' => 8,
        _ => 0,
    }
}

fn is_float(code: u8) -> bool {
    matches!(code, b'f' | b'g' | b'G' | b'd' | b'e' | b'E')
}

fn is_big_endian(code: u8) -> bool {
    match code {
        b'n' | b'N' | b'J' | b'G' | b'E' => true,
        b'v' | b'V' | b'P' | b'g' | b'e' => false,
        _ => cfg!(target_endian = "big"),
    }
}

/// pack.
pub fn pack<A: Arguments>(
    format: &[u8],
    arguments: &mut A,
) -> Result<PStr, PackError<A::Error>> {
    let value_error = |text: String| Err(PackError::Value(text.into_bytes()));
    // First all codes are checked and counted, so that nothing is converted for a format that is wrong.
    let mut codes = HeapVec::new();
    let mut at = 0;
    let mut used = 0;
    while let Some((code, count)) = code(format, &mut at, in_32_bits) {
        let shown = char::from(code);
        let count = match code {
            b'x' | b'X' | b'@' => match count {
                Count::Star => {
                    let text = format!("Type {shown}: '*' ignored");
                    arguments.warning(&text).map_err(PackError::Argument)?;
                    1
                }
                Count::None => 1,
                Count::Number(number) => number,
            },
            b'a' | b'A' | b'Z' | b'h' | b'H' => {
                if used >= arguments.count() {
                    return value_error(format!("Type {shown}: not enough arguments"));
                }
                used += 1;
                match count {
                    // The length of the string, which is known when it is converted.
                    Count::Star => usize::MAX,
                    Count::None => 1,
                    Count::Number(number) => number,
                }
            }
            _ if number_size(code) > 0 => {
                let number = match count {
                    Count::Star => arguments.count().saturating_sub(used),
                    Count::None => 1,
                    Count::Number(number) => number,
                };
                if number > arguments.count().saturating_sub(used) {
                    return value_error(format!("Type {shown}: too few arguments"));
                }
                used += number;
                number
            }
            _ => return Err(PackError::Value([b"Type ".as_slice(), &[code], b": unknown format code"].concat())),
        };
        codes.push((code, count))?;
    }
    if used < arguments.count() {
        let text = format!("{} arguments unused", arguments.count() - used);
        arguments.warning(&text).map_err(PackError::Argument)?;
    }
    let mut out = PStrBuilder::new();
    // PHP warns about hexadecimal digits after it has warned about places.
    let mut warnings = HeapVec::new();
    let mut next = 0;
    for (code, count) in codes {
        match code {
            b'x' => out.resize(out.len().saturating_add(count), 0)?,
            b'@' => out.resize(count, 0)?,
            b'X' => {
                if count > out.len() {
                    arguments
                        .warning("Type X: outside of string")
                        .map_err(PackError::Argument)?;
                }
                out.truncate(out.len().saturating_sub(count));
            }
            b'a' | b'A' | b'Z' => {
                let fill = if code == b'A' { b' ' } else { 0 };
                let mut write = |bytes: &[u8]| {
                    let length = match (count, code) {
                        (usize::MAX, b'Z') => bytes.len() + 1,
                        (usize::MAX, _) => bytes.len(),
                        (length, _) => length,
                    };
                    // A `Z` string always ends with NUL.
                    let room = if code == b'Z' {
                        length.saturating_sub(1)
                    } else {
                        length
                    };
                    let start = out.len();
                    out.extend(&bytes[..bytes.len().min(room)])?;
                    out.resize(start.saturating_add(length), fill)
                };
                arguments
                    .bytes(next, &mut write)
                    .map_err(PackError::Argument)?;
                next += 1;
            }
            b'h' | b'H' => {
                pack_hex(code, count, next, arguments, &mut out, &mut warnings)?;
                next += 1;
            }
            _ => {
                for _ in 0..count {
                    let bytes = match code {
                        b'f' | b'g' | b'G' => {
                            let value = arguments.float(next).map_err(PackError::Argument)? as f32;
                            u64::from(value.to_bits())
                        }
                        b'd' | b'e' | b'E' => arguments
                            .float(next)
                            .map_err(PackError::Argument)?
                            .to_bits(),
                        _ => arguments
                            .int(next)
                            .map_err(PackError::Argument)?
                            .cast_unsigned(),
                    };
                    let size = number_size(code);
                    if is_big_endian(code) {
                        out.extend(&bytes.to_be_bytes()[8 - size..])?;
                    } else {
                        out.extend(&bytes.to_le_bytes()[..size])?;
                    }
                    next += 1;
                }
            }
        }
    }
    for warning in warnings {
        arguments.warning(&warning.text()).map_err(PackError::Argument)?;
    }
    Ok(out.finish())
}

fn pack_hex<A: Arguments>(
    code: u8,
    count: usize,
    index: usize,
    arguments: &mut A,
    out: &mut PStrBuilder,
    warnings: &mut HeapVec<HexWarning>,
) -> Result<(), PackError<A::Error>> {
    let mut write = |bytes: &[u8]| {
        let nibbles = if count == usize::MAX {
            bytes.len()
        } else {
            count
        };
        if nibbles > bytes.len() {
            warnings.push(HexWarning::TooFew(code))?;
        }
        let digits = &bytes[..nibbles.min(bytes.len())];
        out.reserve(digits.len().div_ceil(2))?;
        for pair in digits.chunks(2) {
            let mut nibbles = [0; 2];
            for (nibble, &byte) in nibbles.iter_mut().zip(pair) {
                match char::from(byte).to_digit(16) {
                    Some(digit) => *nibble = digit as u8,
                    None => warnings.push(HexWarning::NoDigit(code, byte))?,
                }
            }
            let [first, second] = nibbles;
            out.push(if code == b'H' {
                first << 4 | second
            } else {
                second << 4 | first
            })?;
        }
        Ok(())
    };
    arguments
        .bytes(index, &mut write)
        .map_err(PackError::Argument)
}

/// What is wrong with the digits of a hexadecimal string, by its code.
enum HexWarning {
    TooFew(u8),
    NoDigit(u8, u8),
}

impl HexWarning {
    fn text(&self) -> String {
        match *self {
            HexWarning::TooFew(code) => format!("Type {}: not enough characters in string", char::from(code)),
            HexWarning::NoDigit(code, byte) => format!("Type {}: illegal hex digit {}", char::from(code), char::from(byte)),
        }
    }
}

/// The result of unpack: the elements, in order; and what is warned about first. `Ok(None)` stands for false, `Err` is
/// a ValueError's text.
pub struct Unpacking {
    pub values: Result<Option<PArray>, Vec<u8>>,
    pub warnings: HeapVec<PStr>,
}

fn written(text: std::fmt::Arguments) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::new();
    out.write_fmt(text)?;
    Ok(out.finish())
}

/// unpack of `data` from where the caller's `$offset` points.
pub fn unpack(format: &[u8], data: &[u8]) -> Result<Unpacking, OutOfMemory> {
    let mut values = PArray::new();
    let mut warnings = HeapVec::new();
    let mut read = 0usize;
    let mut at = 0;
    while at < format.len() {
        let Some((code, count)) = code(format, &mut at, |number| number as usize) else {
            break;
        };
        let name_end = format[at..]
            .iter()
            .position(|&byte| byte == b'/')
            .map_or(format.len(), |end| at + end);
        let name = &format[at..name_end];
        at = name_end + 1;
        let shown = char::from(code);
        // How many bytes one repetition takes, and how many repetitions there are (`None`: while there is data).
        let left = data.len() - read;
        let number = match count {
            Count::None => 1,
            Count::Star => usize::MAX,
            Count::Number(number) => number,
        };
        // PHP refuses what does not fit into 32 bits.
        if matches!(count, Count::Number(number) if number > i32::MAX as usize) {
            warnings.push(written(format_args!("Type {shown}: integer overflow"))?)?;
            return Ok(Unpacking { values: Ok(None), warnings });
        }
        let (size, repetitions) = match code {
            b'X' | b'@' => {
                move_to(code, number, count, data.len(), &mut read, &mut warnings)?;
                continue;
            }
            b'x' => (1, (count != Count::Star).then_some(number)),
            b'a' | b'A' | b'Z' => (if count == Count::Star { left } else { number }, Some(1)),
            b'h' | b'H' => (
                if count == Count::Star {
                    left
                } else {
                    number.div_ceil(2)
                },
                Some(1),
            ),
            _ if number_size(code) > 0 => {
                let repetitions = if count == Count::Star {
                    None
                } else {
                    Some(number)
                };
                (number_size(code), repetitions)
            }
            _ => {
                return Ok(Unpacking { values: Err([b"Invalid format type ".as_slice(), &[code]].concat()), warnings });
            }
        };
        let mut index = 0;
        while repetitions.is_none_or(|repetitions| index < repetitions) {
            let left = data.len() - read;
            if size > left {
                if repetitions.is_none() {
                    break;
                }
                let verb = if left == 1 { "was" } else { "were" };
                warnings.push(written(format_args!(
                    "Type {shown}: not enough input values, need {size} values but only {left} {verb} provided"
                ))?)?;
                return Ok(Unpacking { values: Ok(None), warnings });
            }
            let bytes = &data[read..read + size];
            // PHP takes the star of a hexadecimal string for a step back.
            let is_hex_star = matches!(code, b'h' | b'H') && count == Count::Star;
            read = if is_hex_star {
                read.saturating_sub(1)
            } else {
                read + size
            };
            index += 1;
            if code == b'x' {
                continue;
            }
            let numbered = number_size(code) > 0 && (count == Count::Star || number > 1);
            let key = match (name, numbered) {
                (b"", _) => Key::Int(index as i64),
                (name, true) => {
                    let mut key = PStrBuilder::new();
                    key.extend(name)?;
                    key.push_int(index as i64)?;
                    Key::from_bytes(&key)
                }
                (name, false) => Key::from_bytes(name),
            };
            let value = unpack_one(
                code,
                bytes,
                if count == Count::Star {
                    usize::MAX
                } else {
                    number
                },
            )?;
            values.set(key, value);
        }
    }
    Ok(Unpacking { values: Ok(Some(values)), warnings })
}

/// `X` goes back, `@` goes to a place.
fn move_to(
    code: u8,
    number: usize,
    count: Count,
    end: usize,
    read: &mut usize,
    warnings: &mut HeapVec<PStr>,
) -> Result<(), OutOfMemory> {
    if code == b'X' {
        let back = if count == Count::Star {
            warnings.push(PStr::from("Type X: '*' ignored"))?;
            1
        } else {
            number
        };
        *read = read.saturating_sub(back);
    } else if number <= end {
        *read = number;
    } else {
        warnings.push(PStr::from("Type @: outside of string"))?;
        if count == Count::Star {
            *read = 0;
        }
    }
    Ok(())
}

fn unpack_one(code: u8, bytes: &[u8], number: usize) -> Result<Value, OutOfMemory> {
    Ok(match code {
        b'a' => Value::bytes(bytes),
        b'A' => {
            let is_padding = |byte: &u8| matches!(byte, 0 | b'\t' | b'\r' | b'\n' | b' ');
            let length = bytes
                .iter()
                .rposition(|byte| !is_padding(byte))
                .map_or(0, |last| last + 1);
            Value::bytes(&bytes[..length])
        }
        b'Z' => Value::bytes(jumbo_value::string::up_to_nul(bytes)),
        b'h' | b'H' => {
            let digits = bytes.iter().flat_map(|byte| {
                let (high, low) = (byte >> 4, byte & 15);
                if code == b'H' {
                    [high, low]
                } else {
                    [low, high]
                }
            });
            let digit = |nibble: u8| {
                char::from_digit(u32::from(nibble), 16).map_or(b'0', |digit| digit as u8)
            };
            let mut text = PStrBuilder::with_capacity(bytes.len().saturating_mul(2).min(number))?;
            digits.take(number).map(digit).try_for_each(|digit| text.push(digit))?;
            Value::from(text.finish())
        }
        _ => {
            let mut raw = [0u8; 8];
            let size = bytes.len().min(8);
            raw[..size].copy_from_slice(&bytes[..size]);
            if is_big_endian(code) {
                raw[..size].reverse();
            }
            let bits = u64::from_le_bytes(raw);
            if is_float(code) {
                let value = if size == 4 {
                    f64::from(f32::from_bits(bits as u32))
                } else {
                    f64::from_bits(bits)
                };
                return Ok(Value::from(value));
            }
            Value::from(match code {
                b'c' => i64::from(bits as i8),
                b's' => i64::from(bits as i16),
                b'i' | b'l' => i64::from(bits as i32),
                _ => bits.cast_signed(),
            })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::encode::hex_encode;
    use crate::pure::testdata::{Samples, number, rows, show};
    use jumbo_value::View;

    struct Texts {
        values: Vec<Vec<u8>>,
        warnings: Vec<String>,
    }

    impl Arguments for Texts {
        type Error = OutOfMemory;
        fn count(&self) -> usize {
            self.values.len()
        }
        fn int(&mut self, index: usize) -> Result<i64, OutOfMemory> {
            Ok(number::<f64>(&self.values[index]) as i64)
        }
        fn float(&mut self, index: usize) -> Result<f64, OutOfMemory> {
            Ok(number(&self.values[index]))
        }
        fn bytes(&mut self, index: usize, use_bytes: &mut dyn FnMut(&[u8]) -> Result<(), OutOfMemory>) -> Result<(), OutOfMemory> {
            use_bytes(&self.values[index])
        }
        fn warning(&mut self, message: &str) -> Result<(), OutOfMemory> {
            self.warnings.push(message.to_string());
            Ok(())
        }
    }

    #[test]
    fn packs_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/pack.tsv")) {
            let [format, values, expected, warnings] = &row[..] else {
                panic!("bad row")
            };
            let values = values
                .split(|&byte| byte == b'|')
                .filter(|value| !value.is_empty());
            let mut texts = Texts {
                values: values.map(<[u8]>::to_vec).collect(),
                warnings: Vec::new(),
            };
            let found = match pack(format, &mut texts) {
                Ok(bytes) => hex_encode(&bytes)?,
                Err(PackError::Value(text)) => PStr::new(&text),
                Err(PackError::Argument(refused)) => return Err(refused),
            };
            samples.check(
                show(&found),
                show(expected),
                format!("{} {:?}", show(format), texts.values),
            );
            samples.check(
                show(texts.warnings.join("|").as_bytes()),
                show(warnings),
                format!("{}", show(format)),
            );
        }
        Ok(())
    }

    #[test]
    fn unpacks_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/unpack.tsv")) {
            let [format, data, expected, warnings] = &row[..] else {
                panic!("bad row")
            };
            let Unpacking {
                values,
                warnings: told,
            } = unpack(format, data)?;
            let found = match values {
                Err(text) => String::from_utf8_lossy(&text).into_owned(),
                Ok(None) => "false".to_string(),
                Ok(Some(values)) => {
                    let one = |(key, value): (Key, Value)| {
                        let value = match value.view() {
                            View::Int(value) => value.to_string(),
                            View::Float(value) if value.is_nan() => "NAN".to_string(),
                            View::Float(value) => value.to_string(),
                            View::Str(bytes) => hex_encode(bytes).map_or_else(|_| "refused".to_string(), |text| show(&text)),
                            other => panic!("{other:?}"),
                        };
                        format!("{}={value}", show(&key.as_ref().to_str()))
                    };
                    values.entries().map(one).collect::<Vec<_>>().join("|")
                }
            };
            samples.check(
                found,
                show(expected),
                format!("{} {}", show(format), show(data)),
            );
            samples.check(
                show(&told.iter().map(|warning| warning.as_bytes()).collect::<Vec<_>>().join(&b'|')),
                show(warnings),
                format!("{}", show(format)),
            );
        }
        Ok(())
    }
}
