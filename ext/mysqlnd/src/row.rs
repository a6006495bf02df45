//! Rows: from the bytes of a packet to PHP values, in the text and in the binary form.
//!
//! Nothing is believed of lengths and counts: what does not fit into the packet is [`Malformed`].

use crate::packet::{column_flag, kind};
use crate::result::{Column, Columns, Form};
use crate::wire::Reader;
use jumbo_abi::{PStr, Value};
use std::fmt::Write;

/// Why a row is none, in PHP's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// A length that points behind the packet, in a text row.
    TextLength,
    /// The same in a binary row.
    BinaryLength,
    /// The packet ends before the field begins.
    NoSpace,
}

impl Malformed {
    pub fn message(self) -> &'static str {
        match self {
            Malformed::TextLength => "Malformed server packet. Field length pointing after end of packet",
            Malformed::BinaryLength => "Malformed server packet. Field length pointing after the end of packet",
            Malformed::NoSpace => "Malformed server packet. No packet space left for the field",
        }
    }
}

/// Appends the values of a row; `lengths` gets those of a text row.
pub fn decode(row: &[u8], columns: &Columns, form: Form, values: &mut Vec<Value>, lengths: &mut Vec<usize>) -> Result<(), Malformed> {
    match form {
        Form::Text { native_numbers } => {
            lengths.clear();
            text(row, columns, native_numbers, values, lengths)
        }
        Form::Binary => binary(row, columns, values),
    }
}

fn text(row: &[u8], columns: &Columns, native: bool, values: &mut Vec<Value>, lengths: &mut Vec<usize>) -> Result<(), Malformed> {
    let mut reader = Reader::new(row);
    for column in &columns.0 {
        let Some(bytes) = reader.text().map_err(|_| Malformed::TextLength)? else {
            values.push(Value::null());
            lengths.push(0);
            continue;
        };
        let value = match column.definition.kind {
            kind::BIT => {
                let n = bits(bytes);
                let digits = n.to_string();
                lengths.push(digits.len());
                values.push(if native { unsigned(n) } else { Value::from(PStr::new(digits.as_bytes())) });
                continue;
            }
            // Leading zeros are what ZEROFILL is for.
            number if native && column.definition.flags & column_flag::ZEROFILL == 0 => native_number(number, bytes, column.is_unsigned()),
            _ => None,
        };
        lengths.push(bytes.len());
        values.push(value.unwrap_or_else(|| Value::from(PStr::new(bytes))));
    }
    Ok(())
}

/// A number of a text row as int or float; `None`: it stays text.
fn native_number(number: u8, bytes: &[u8], is_unsigned: bool) -> Option<Value> {
    let text = std::str::from_utf8(bytes).ok()?;
    match number {
        kind::TINY | kind::SHORT | kind::INT24 | kind::LONG | kind::LONGLONG | kind::YEAR => {
            if is_unsigned { text.parse::<u64>().ok().map(unsigned) } else { text.parse::<i64>().ok().map(Value::from) }
        }
        kind::FLOAT | kind::DOUBLE => text.parse::<f64>().ok().map(Value::from),
        _ => None,
    }
}

/// Bytes of a BIT value, the highest first.
fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().rev().take(8).rev().fold(0, |n, b| n << 8 | u64::from(*b))
}

/// What does not fit into PHP's int is text.
fn unsigned(n: u64) -> Value {
    match i64::try_from(n) {
        Ok(n) => Value::from(n),
        Err(_) => Value::from(PStr::new(n.to_string().as_bytes())),
    }
}

fn binary(row: &[u8], columns: &Columns, values: &mut Vec<Value>) -> Result<(), Malformed> {
    let mut reader = Reader::new(row);
    reader.skip(1).map_err(|_| Malformed::NoSpace)?;
    // The first two bits are not used.
    let nulls = reader.take((columns.len() + 9) / 8).map_err(|_| Malformed::NoSpace)?;
    for (n, column) in columns.0.iter().enumerate() {
        let bit = n + 2;
        if nulls.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0) {
            values.push(Value::null());
            continue;
        }
        values.push(binary_value(&mut reader, column)?);
    }
    Ok(())
}

fn binary_value(reader: &mut Reader<'_>, column: &Column) -> Result<Value, Malformed> {
    let definition = &column.definition;
    let short = |_| Malformed::BinaryLength;
    if definition.kind != kind::NULL && reader.left() == 0 {
        return Err(Malformed::NoSpace);
    }
    let is_unsigned = column.is_unsigned();
    Ok(match definition.kind {
        kind::NULL => Value::null(),
        kind::TINY => {
            let n = reader.u8().map_err(short)?;
            zero_filled(column, if is_unsigned { i64::from(n) } else { i64::from(n as i8) })
        }
        kind::SHORT | kind::YEAR => {
            let n = reader.u16().map_err(short)?;
            zero_filled(column, if is_unsigned { i64::from(n) } else { i64::from(n as i16) })
        }
        kind::INT24 | kind::LONG => {
            let n = reader.u32().map_err(short)?;
            zero_filled(column, if is_unsigned { i64::from(n) } else { i64::from(n as i32) })
        }
        kind::LONGLONG => {
            let n = reader.u64().map_err(short)?;
            if is_unsigned && n > i64::MAX as u64 { unsigned(n) } else { zero_filled(column, n as i64) }
        }
        kind::FLOAT => {
            let n = f32::from_bits(reader.u32().map_err(short)?);
            Value::from(float(n, definition.decimals))
        }
        kind::DOUBLE => Value::from(f64::from_bits(reader.u64().map_err(short)?)),
        kind::DATE | kind::NEWDATE => {
            let mut part = Moment::read(reader)?;
            text_value(format!("{:04}-{:02}-{:02}", part.u16(), part.u8(), part.u8()))
        }
        kind::DATETIME | kind::TIMESTAMP => {
            let mut part = Moment::read(reader)?;
            let (year, month, day) = (part.u16(), part.u8(), part.u8());
            let (hour, minute, second) = (part.u8(), part.u8(), part.u8());
            let mut text = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
            fraction(&mut text, part.u32(), definition.decimals);
            text_value(text)
        }
        kind::TIME => {
            let mut part = Moment::read(reader)?;
            let negative = part.u8() != 0;
            let days = part.u32();
            let (hour, minute, second) = (part.u8(), part.u8(), part.u8());
            let hours = u64::from(days) * 24 + u64::from(hour);
            let mut text = format!("{}{hours:02}:{minute:02}:{second:02}", if negative { "-" } else { "" });
            fraction(&mut text, part.u32(), definition.decimals);
            text_value(text)
        }
        kind::BIT => unsigned(bits(reader.text().map_err(short)?.unwrap_or_default())),
        _ => match reader.text().map_err(short)? {
            Some(bytes) => Value::from(PStr::new(bytes)),
            None => Value::null(),
        },
    })
}

fn text_value(text: String) -> Value {
    Value::from(PStr::new(text.as_bytes()))
}

/// Ints of columns with ZEROFILL are text, as wide as the column shows them.
fn zero_filled(column: &Column, n: i64) -> Value {
    let width = usize::try_from(column.definition.length).unwrap_or(0).min(255);
    if column.definition.flags & column_flag::ZEROFILL != 0 && n.to_string().len() <= width {
        return text_value(format!("{n:0width$}"));
    }
    Value::from(n)
}

/// A float as the double that has the same digits: the six that a float is sure of, or those of the column.
fn float(n: f32, decimals: u8) -> f64 {
    let text = if decimals >= 31 { format!("{n:.5e}") } else { format!("{:.*}", usize::from(decimals), f64::from(n)) };
    text.parse().unwrap_or(f64::from(n))
}

/// Microseconds, with the column's number of digits.
fn fraction(text: &mut String, micros: u32, decimals: u8) {
    if (1..=6).contains(&decimals) {
        let digits = format!("{:06}", micros.min(999_999));
        let shown = digits.get(..usize::from(decimals)).unwrap_or(&digits);
        // Writing to a string cannot fail.
        let _ = write!(text, ".{shown}");
    }
}

/// The parts of a date or time; those that the server leaves out are 0.
struct Moment<'a>(Reader<'a>);

impl<'a> Moment<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Moment<'a>, Malformed> {
        let bytes = reader.text().map_err(|_| Malformed::BinaryLength)?.unwrap_or_default();
        Ok(Moment(Reader::new(bytes)))
    }
    fn u8(&mut self) -> u8 {
        self.0.u8().unwrap_or(0)
    }
    fn u16(&mut self) -> u16 {
        self.0.u16().unwrap_or(0)
    }
    fn u32(&mut self) -> u32 {
        self.0.u32().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::ColumnDefinition;
    use jumbo_value::Heap;

    fn columns(kinds: &[u8]) -> Columns {
        let column = |kind: &u8| Column::new(ColumnDefinition { kind: *kind, name: b"c".to_vec(), ..ColumnDefinition::default() }).unwrap();
        Columns(kinds.iter().map(column).collect())
    }

    fn shown(row: &[u8], kinds: &[u8], form: Form) -> Result<Vec<String>, Malformed> {
        let mut values = Vec::new();
        decode(row, &columns(kinds), form, &mut values, &mut Vec::new())?;
        Ok(values.iter().map(|v| format!("{v:?}")).collect())
    }

    #[test]
    fn rows() {
        let heap = Heap::new();
        let _guard = heap.enter();
        let text = Form::Text { native_numbers: false };
        assert_eq!(shown(b"\x01a\xfb", &[kind::STRING, kind::LONG], text).map(|v| v.len()), Ok(2));
        assert_eq!(shown(b"\x05a", &[kind::STRING], text), Err(Malformed::TextLength));
        assert_eq!(shown(b"\0\0\x0e\0\0\0", &[kind::LONG], Form::Binary).map(|v| v.len()), Ok(1));
        assert_eq!(shown(b"\0\0\x0e\0", &[kind::LONG], Form::Binary), Err(Malformed::BinaryLength));
        assert_eq!(shown(b"\0\0", &[kind::LONG], Form::Binary), Err(Malformed::NoSpace));
        assert_eq!(float(1.1, 31), 1.1);
        assert_eq!(float(2.345, 2), 2.35);
    }

    /// Bytes of any kind give values or an error, with every type of column.
    #[test]
    fn any_bytes() {
        let heap = Heap::new();
        let _guard = heap.enter();
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed as u8
        };
        for kind in 0..=255 {
            for len in 0..40 {
                let bytes: Vec<u8> = (0..len).map(|_| next()).collect();
                for form in [Form::Binary, Form::Text { native_numbers: false }, Form::Text { native_numbers: true }] {
                    let _ = shown(&bytes, &[kind, kind, kind], form);
                }
                crate::packet::decode_all(&bytes);
            }
        }
    }
}
