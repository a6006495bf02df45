//! The engine of sprintf, printf, vsprintf and their relatives.
//!
//! A format has items `%[argument$][flags][width][.precision]specifier`. Arguments are converted only when an item
//! asks, and in the order of the items, because a conversion may run PHP code.

use super::number;
use jumbo_value::{OutOfMemory, PStrBuilder};

/// Precision beyond this is cut, with a notice.
const FLOAT_PRECISION_MAX: usize = 53;

/// The values to be formatted; indices count from 0 and are below `count`.
pub trait Arguments {
    type Error: From<OutOfMemory>;
    fn count(&self) -> usize;
    fn int(&mut self, index: usize) -> Result<i64, Self::Error>;
    fn float(&mut self, index: usize) -> Result<f64, Self::Error>;
    /// Gives the argument's string to `use_bytes`.
    fn bytes(&mut self, index: usize, use_bytes: &mut dyn FnMut(&[u8]) -> Result<(), OutOfMemory>) -> Result<(), Self::Error>;
    /// The argument as a width or precision given by `*`: `None` when it is not of type int.
    fn size(&mut self, index: usize) -> Result<Option<i64>, Self::Error>;
    /// An E_NOTICE, without the name of the function.
    fn notice(&mut self, message: &str) -> Result<(), Self::Error>;
}

/// Why formatting stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormatError<E> {
    /// The conversion of an argument, or a notice, threw.
    Argument(E),
    /// `needed` values, the format itself not counted, where there are fewer.
    TooFewArguments { needed: usize },
    /// A ValueError with this text.
    Value(Vec<u8>),
}

impl<E: From<OutOfMemory>> From<OutOfMemory> for FormatError<E> {
    fn from(refused: OutOfMemory) -> Self {
        FormatError::Argument(refused.into())
    }
}

impl<E> FormatError<E> {
    fn value(text: &str) -> Self {
        FormatError::Value(text.as_bytes().to_vec())
    }

    /// The ArgumentCountError of sprintf and printf (`leading` = 1) and of fprintf (2); for the vsprintf family see
    /// [`Self::array_message`].
    pub fn count_message(needed: usize, given: usize, leading: usize) -> String {
        format!(
            "{} arguments are required, {} given",
            needed + leading,
            given + leading
        )
    }

    /// The ValueError of vsprintf, vprintf and vfprintf.
    pub fn array_message(needed: usize, given: usize) -> String {
        format!("The arguments array must contain {needed} items, {given} given")
    }
}

#[derive(Clone, Copy)]
struct Item {
    left: bool,
    plus: bool,
    pad: u8,
    width: usize,
    /// `None` when not given; -1 asks for the shortest form.
    precision: Option<i64>,
}

struct Reader<'f> {
    format: &'f [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    fn take_digits(&mut self) -> Option<u64> {
        let start = self.at;
        let mut number = 0u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number
                .saturating_mul(10)
                .saturating_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        (self.at > start).then_some(number)
    }

    /// `N$`, when that stands here: the argument's index.
    fn take_argument<E>(&mut self) -> Result<Option<usize>, FormatError<E>> {
        let start = self.at;
        // A dollar sign without a number counts as number 0.
        let number = self.take_digits().unwrap_or(0);
        if self.peek() != Some(b'$') {
            self.at = start;
            return Ok(None);
        }
        self.at += 1;
        if number == 0 || number >= i32::MAX as u64 {
            let text =
                "Argument number specifier must be greater than zero and less than 2147483647";
            return Err(FormatError::value(text));
        }
        Ok(usize::try_from(number - 1).ok())
    }
}

struct Formatter<'a, A: Arguments> {
    arguments: &'a mut A,
    next: usize,
    /// The greatest index asked for beyond the arguments, plus 1.
    missing: usize,
}

impl<A: Arguments> Formatter<'_, A> {
    /// The index that an item means: its own number or the next one. `None` when there is no such argument, which is
    /// an error only after the whole format was read.
    fn resolve(&mut self, numbered: Option<usize>) -> Option<usize> {
        let index = numbered.unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        if index >= self.arguments.count() {
            self.missing = self.missing.max(index + 1);
            return None;
        }
        Some(index)
    }

    /// A `*`, or `*N$`. `Ok(None)` when the argument does not exist.
    fn star(
        &mut self,
        reader: &mut Reader<'_>,
        what: &str,
    ) -> Result<Option<i64>, FormatError<A::Error>> {
        reader.at += 1;
        let numbered = reader.take_argument()?;
        let Some(index) = self.resolve(numbered) else {
            return Ok(None);
        };
        let size = self.arguments.size(index).map_err(FormatError::Argument)?;
        size.map(Some)
            .ok_or_else(|| FormatError::value(&format!("{what} must be an integer")))
    }

    fn item(
        &mut self,
        reader: &mut Reader<'_>,
        out: &mut PStrBuilder,
    ) -> Result<(), FormatError<A::Error>> {
        let mut item = Item {
            left: false,
            plus: false,
            pad: b' ',
            width: 0,
            precision: None,
        };
        let mut numbered = None;
        if !reader.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
            numbered = reader.take_argument()?;
            self.flags(reader, &mut item)?;
            // An item whose `*` has no argument ends there.
            if !self.width(reader, &mut item)? || !self.precision(reader, &mut item)? {
                return Ok(());
            }
        }
        if reader.peek() == Some(b'l') {
            reader.at += 1;
        }
        // A missing argument is worse than a missing specifier.
        let index = self.resolve(numbered);
        let Some(specifier) = reader.peek() else {
            return match index {
                Some(_) => Err(FormatError::value("Missing format specifier at end of string")),
                None => Ok(()),
            };
        };
        reader.at += 1;
        let Some(index) = index else {
            return Ok(());
        };
        // With anything in between a percent sign uses up an argument.
        if specifier == b'%' {
            out.push(b'%')?;
            return Ok(());
        }
        self.argument(specifier, index, item, out)
    }

    fn flags(
        &mut self,
        reader: &mut Reader<'_>,
        item: &mut Item,
    ) -> Result<(), FormatError<A::Error>> {
        loop {
            match reader.peek() {
                Some(pad @ (b' ' | b'0')) => item.pad = pad,
                Some(b'-') => item.left = true,
                Some(b'+') => item.plus = true,
                Some(b'\'') => {
                    reader.at += 1;
                    let Some(pad) = reader.peek() else {
                        return Err(FormatError::value("Missing padding character"));
                    };
                    item.pad = pad;
                }
                _ => return Ok(()),
            }
            reader.at += 1;
        }
    }

    /// False: there is no argument for the width.
    fn width(
        &mut self,
        reader: &mut Reader<'_>,
        item: &mut Item,
    ) -> Result<bool, FormatError<A::Error>> {
        let width = if reader.peek() == Some(b'*') {
            match self.star(reader, "Width")? {
                Some(width) => width,
                None => return Ok(false),
            }
        } else {
            reader
                .take_digits()
                .map_or(0, |width| i64::try_from(width).unwrap_or(i64::MAX))
        };
        match usize::try_from(width) {
            Ok(width) if width < i32::MAX as usize => item.width = width,
            _ => return Err(FormatError::value("Width must be between 0 and 2147483647")),
        }
        Ok(true)
    }

    /// False: there is no argument for the precision.
    fn precision(
        &mut self,
        reader: &mut Reader<'_>,
        item: &mut Item,
    ) -> Result<bool, FormatError<A::Error>> {
        if reader.peek() != Some(b'.') {
            return Ok(true);
        }
        reader.at += 1;
        if reader.peek() == Some(b'*') {
            let precision = self.star(reader, "Precision")?;
            if precision.is_none() {
                return Ok(false);
            }
            if precision.is_some_and(|precision| !(-1..=i64::from(i32::MAX)).contains(&precision)) {
                return Err(FormatError::value(
                    "Precision must be between -1 and 2147483647",
                ));
            }
            item.precision = precision;
        } else if let Some(precision) = reader.take_digits() {
            match i64::try_from(precision) {
                Ok(precision) if precision < i64::from(i32::MAX) => {
                    item.precision = Some(precision)
                }
                _ => {
                    return Err(FormatError::value(
                        "Precision must be between 0 and 2147483647",
                    ));
                }
            }
        }
        Ok(true)
    }

    fn argument(
        &mut self,
        specifier: u8,
        index: usize,
        mut item: Item,
        out: &mut PStrBuilder,
    ) -> Result<(), FormatError<A::Error>> {
        if item.precision == Some(-1) && !matches!(specifier, b'g' | b'G' | b'h' | b'H') {
            return Err(FormatError::value(
                "Precision -1 is only supported for %g, %G, %h and %H",
            ));
        }
        match specifier {
            b's' => {
                let precision = item
                    .precision
                    .and_then(|precision| usize::try_from(precision).ok());
                let mut write = |bytes: &[u8]| {
                    let kept =
                        precision.map_or(bytes, |precision| &bytes[..precision.min(bytes.len())]);
                    pad(out, kept, &item, false)
                };
                self.arguments
                    .bytes(index, &mut write)
                    .map_err(FormatError::Argument)?;
            }
            b'd' => {
                let value = self.arguments.int(index).map_err(FormatError::Argument)?;
                let sign = if value >= 0 && item.plus { "+" } else { "" };
                // Zeros on the right would change the number.
                if item.left && item.pad == b'0' {
                    item.pad = b' ';
                }
                pad(
                    out,
                    format!("{sign}{value}").as_bytes(),
                    &item,
                    value < 0 || item.plus,
                )?;
            }
            b'u' => {
                let value = self
                    .arguments
                    .int(index)
                    .map_err(FormatError::Argument)?
                    .cast_unsigned();
                if item.left && item.pad == b'0' {
                    item.pad = b' ';
                }
                pad(out, value.to_string().as_bytes(), &item, false)?;
            }
            b'b' | b'o' | b'x' | b'X' => {
                let value = self.arguments.int(index).map_err(FormatError::Argument)?;
                // PHP takes a precision here as the length of nothing.
                let text = match specifier {
                    _ if item.precision.is_some() => String::new(),
                    b'b' => format!("{value:b}"),
                    b'o' => format!("{value:o}"),
                    b'x' => format!("{value:x}"),
                    _ => format!("{value:X}"),
                };
                pad(out, text.as_bytes(), &item, false)?;
            }
            b'c' => {
                let value = self.arguments.int(index).map_err(FormatError::Argument)?;
                out.push(value.to_le_bytes()[0])?;
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'h' | b'H' => {
                let value = self.arguments.float(index).map_err(FormatError::Argument)?;
                self.float(specifier, value, item, out)?;
            }
            other => return Err(unknown_specifier(other)),
        }
        Ok(())
    }

    fn float(
        &mut self,
        specifier: u8,
        value: f64,
        item: Item,
        out: &mut PStrBuilder,
    ) -> Result<(), FormatError<A::Error>> {
        let mut precision = item.precision.map_or(6, |precision| {
            usize::try_from(precision).unwrap_or(usize::MAX)
        });
        if item.precision != Some(-1) && precision > FLOAT_PRECISION_MAX {
            let text = format!(
                "Requested precision of {precision} digits was truncated to PHP maximum of {FLOAT_PRECISION_MAX} digits"
            );
            self.arguments
                .notice(&text)
                .map_err(FormatError::Argument)?;
            precision = FLOAT_PRECISION_MAX;
        }
        if !value.is_finite() {
            // Without sign flag and without padding, whatever the item asks.
            let text: &[u8] = match (value.is_nan(), value < 0.0) {
                (true, _) => b"NaN",
                (false, true) => b"-INF",
                (false, false) => b"INF",
            };
            out.extend(text)?;
            return Ok(());
        }
        let upper = specifier.is_ascii_uppercase();
        let digits = match specifier {
            b'f' | b'F' => number::fixed(value, precision),
            b'e' | b'E' => number::exponential(value, precision, upper),
            _ if item.precision == Some(-1) => number::general_shortest(value, upper),
            _ => number::general(value, precision, upper),
        };
        // `%g` of negative zero has a sign, the other forms do not: they ask whether the value is below zero.
        let general = matches!(specifier, b'g' | b'G' | b'h' | b'H');
        let negative = if general {
            value.is_sign_negative()
        } else {
            value < 0.0
        };
        let sign = match (negative, item.plus) {
            (true, _) => "-",
            (false, true) => "+",
            (false, false) => "",
        };
        pad(
            out,
            format!("{sign}{digits}").as_bytes(),
            &item,
            !sign.is_empty(),
        )?;
        Ok(())
    }
}

fn unknown_specifier<E>(byte: u8) -> FormatError<E> {
    let mut text = b"Unknown format specifier \"".to_vec();
    text.extend_from_slice(&[byte, b'"']);
    FormatError::Value(text)
}

/// Writes `text` in the item's width. With `signed` the first byte is a sign, which zeros come after.
fn pad(out: &mut PStrBuilder, text: &[u8], item: &Item, signed: bool) -> Result<(), OutOfMemory> {
    let fill = item.width.saturating_sub(text.len());
    if fill == 0 {
        return out.extend(text);
    }
    if item.left {
        out.extend(text)?;
        return out.fill(item.pad, fill);
    }
    let sign_bytes = usize::from(signed && item.pad == b'0').min(text.len());
    out.extend(&text[..sign_bytes])?;
    out.fill(item.pad, fill)?;
    out.extend(&text[sign_bytes..])
}

/// Writes `format` with `arguments` to `out`.
pub fn format<A: Arguments>(
    format: &[u8],
    arguments: &mut A,
    out: &mut PStrBuilder,
) -> Result<(), FormatError<A::Error>> {
    let mut reader = Reader { format, at: 0 };
    let mut formatter = Formatter {
        arguments,
        next: 0,
        missing: 0,
    };
    while let Some(length) = memchr::memchr(b'%', &format[reader.at..]) {
        out.extend(&format[reader.at..reader.at + length])?;
        reader.at += length + 1;
        if reader.peek() == Some(b'%') {
            out.push(b'%')?;
            reader.at += 1;
        } else {
            formatter.item(&mut reader, out)?;
        }
    }
    out.extend(&format[reader.at..])?;
    match formatter.missing {
        0 => Ok(()),
        needed => Err(FormatError::TooFewArguments { needed }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, number, rows, show};

    enum Sample {
        Int(i64),
        Float(f64),
        Text(&'static str),
    }

    struct Values {
        values: Vec<Sample>,
        notices: Vec<String>,
    }

    impl Arguments for Values {
        type Error = OutOfMemory;
        fn count(&self) -> usize {
            self.values.len()
        }
        fn int(&mut self, index: usize) -> Result<i64, OutOfMemory> {
            Ok(match &self.values[index] {
                Sample::Int(value) => *value,
                // PHP's conversion is modular and gives 0 for what is not a number at all.
                Sample::Float(value) if !value.is_finite() => 0,
                Sample::Float(value) => (*value % 18446744073709551616.0) as i128 as i64,
                Sample::Text(text) => text
                    .trim_end_matches(|c: char| !c.is_ascii_digit())
                    .parse()
                    .unwrap_or(0),
            })
        }
        fn float(&mut self, index: usize) -> Result<f64, OutOfMemory> {
            Ok(match &self.values[index] {
                Sample::Int(value) => *value as f64,
                Sample::Float(value) => *value,
                Sample::Text(_) => self.int(index)? as f64,
            })
        }
        fn bytes(&mut self, index: usize, use_bytes: &mut dyn FnMut(&[u8]) -> Result<(), OutOfMemory>) -> Result<(), OutOfMemory> {
            let text = match &self.values[index] {
                Sample::Int(value) => value.to_string(),
                Sample::Float(value) if value.is_nan() => "NAN".into(),
                Sample::Float(value) => {
                    let sign = if value.is_sign_negative() { "-" } else { "" };
                    let text = if value.is_infinite() {
                        "INF".into()
                    } else {
                        number::general(*value, 17, true)
                    };
                    format!("{sign}{text}")
                }
                Sample::Text(text) => text.to_string(),
            };
            use_bytes(text.as_bytes())
        }
        fn size(&mut self, index: usize) -> Result<Option<i64>, OutOfMemory> {
            Ok(if let Sample::Int(value) = &self.values[index] {
                Some(*value)
            } else {
                None
            })
        }
        fn notice(&mut self, message: &str) -> Result<(), OutOfMemory> {
            self.notices.push(message.to_string());
            Ok(())
        }
    }

    fn run(
        text: &[u8],
        values: Vec<Sample>,
    ) -> (Result<(), FormatError<OutOfMemory>>, Vec<u8>, Vec<String>) {
        let mut out = PStrBuilder::new();
        let mut samples = Values {
            values,
            notices: Vec::new(),
        };
        let result = format(text, &mut samples, &mut out);
        (result, out.to_vec(), samples.notices)
    }

    #[test]
    fn formats_as_php() {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/sprintf.tsv")) {
            let [text, value, expected] = &row[..] else {
                panic!("bad row")
            };
            let value = std::str::from_utf8(value).unwrap();
            let sample = match value.split_at(1) {
                ("i", rest) => Sample::Int(rest.parse().unwrap()),
                ("f", rest) => Sample::Float(number(rest.as_bytes())),
                (_, rest) => Sample::Text(if rest == "abc" { "abc" } else { "12abc" }),
            };
            let (result, out, _) = run(text, vec![sample]);
            assert_eq!(result, Ok(()));
            samples.check(
                show(&out),
                show(expected),
                format!("{} of {value}", show(text)),
            );
        }
    }

    #[test]
    fn errors_as_php() {
        use Sample::{Float, Int, Text};
        let check = |text: &str, values: Vec<Sample>, message: &str| {
            let found = run(text.as_bytes(), values).0;
            assert_eq!(
                found,
                Err(FormatError::Value(message.as_bytes().to_vec())),
                "{text}"
            );
        };
        check("%y", vec![Int(1)], "Unknown format specifier \"y\"");
        check("%lld", vec![Int(1)], "Unknown format specifier \"l\"");
        check("%10.4-f", vec![Int(1)], "Unknown format specifier \"-\"");
        check("%5 d|", vec![Int(1)], "Unknown format specifier \" \"");
        check(
            "%",
            vec![Int(1)],
            "Missing format specifier at end of string",
        );
        check(
            "%5.",
            vec![Int(1)],
            "Missing format specifier at end of string",
        );
        check(
            "%1$",
            vec![Int(1)],
            "Missing format specifier at end of string",
        );
        check("%'", vec![Int(1)], "Missing padding character");
        let number_text =
            "Argument number specifier must be greater than zero and less than 2147483647";
        check("%0$s", vec![Int(1)], number_text);
        check("%99999999999$s", vec![Int(1)], number_text);
        check(
            "%2147483647s",
            vec![Int(1)],
            "Width must be between 0 and 2147483647",
        );
        check(
            "%*d",
            vec![Int(-5), Int(1)],
            "Width must be between 0 and 2147483647",
        );
        check(
            "%.99999999999s",
            vec![Int(1)],
            "Precision must be between 0 and 2147483647",
        );
        check(
            "%.*f",
            vec![Int(-2), Float(1.5)],
            "Precision must be between -1 and 2147483647",
        );
        check(
            "%.*f",
            vec![Int(-1), Float(1.5)],
            "Precision -1 is only supported for %g, %G, %h and %H",
        );
        check("%*s", vec![Text("x"), Int(1)], "Width must be an integer");
        check(
            "%.*f",
            vec![Text("x"), Int(1)],
            "Precision must be an integer",
        );
        assert_eq!(
            run(b"%s %s", vec![Int(1)]).0,
            Err(FormatError::TooFewArguments { needed: 2 })
        );
        assert_eq!(
            run(b"%s %5$s", vec![Int(1)]).0,
            Err(FormatError::TooFewArguments { needed: 5 })
        );
    }

    #[test]
    fn stars_and_notices() {
        use Sample::{Float, Int};
        let out = |text: &str, values: Vec<Sample>| {
            String::from_utf8(run(text.as_bytes(), values).1).unwrap()
        };
        assert_eq!(out("%*d", vec![Int(5), Int(42)]), "   42");
        assert_eq!(out("%-*d|", vec![Int(5), Int(42)]), "42   |");
        assert_eq!(out("%*2$d", vec![Int(42), Int(6)]), "    42");
        assert_eq!(out("%.*2$f", vec![Float(1.23456), Int(3)]), "1.235");
        assert_eq!(out("%1$*2$d", vec![Int(3), Int(5)]), "    3");
        assert_eq!(out("%.*g", vec![Int(-1), Float(1.5)]), "1.5");
        let notices = run(b"%.60f", vec![Float(1.5)]).2;
        assert_eq!(
            notices,
            ["Requested precision of 60 digits was truncated to PHP maximum of 53 digits"]
        );
    }
}
