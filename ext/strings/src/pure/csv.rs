//! Lines of comma-separated values, as fgetcsv and fputcsv read and write them.

use jumbo_value::{OutOfMemory, PArray, PStr, PStrBuilder};

/// How fields are separated and quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    pub delimiter: u8,
    pub enclosure: u8,
    /// `None` when `$escape` is an empty string.
    pub escape: Option<u8>,
}

impl Default for Dialect {
    fn default() -> Self {
        Dialect {
            delimiter: b',',
            enclosure: b'"',
            escape: Some(b'\\'),
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The length of `line` without its line end.
fn content_len(line: &[u8]) -> usize {
    match line {
        [.., b'\r', b'\n'] => line.len() - 2,
        [.., b'\r' | b'\n'] => line.len() - 1,
        _ => line.len(),
    }
}

/// The line that is being read.
struct Line<'l> {
    first: &'l [u8],
    /// A later one, in which a quoted field goes on.
    later: Option<PStr>,
    /// The place in it, and the end of what it has before its line end.
    at: usize,
    end: usize,
}

impl Line<'_> {
    fn bytes(&self) -> &[u8] {
        self.later.as_deref().unwrap_or(self.first)
    }
    fn byte_at(&self, at: usize) -> Option<u8> {
        self.bytes()[..self.end].get(at).copied()
    }
}

impl Dialect {
    /// Reads the fields of `line`, which may have its line end. When a quoted field goes on, `more` is asked for the
    /// next line, with its line end. `None` stands for a blank line (PHP: an array with one null).
    pub fn read<E: From<OutOfMemory>>(
        &self,
        line: &[u8],
        mut more: impl FnMut() -> Result<Option<PStr>, E>,
    ) -> Result<Option<PArray>, E> {
        let mut line = Line { first: line, later: None, at: 0, end: content_len(line) };
        let mut fields = PArray::new();
        let mut first = true;
        loop {
            if first && line.at == line.end {
                return Ok(None);
            }
            let blanks = line.bytes()[line.at..line.end]
                .iter()
                .take_while(|&&byte| is_space(byte) && byte != self.delimiter)
                .count();
            let start = line.at + blanks;
            first = false;
            let mut field = PStrBuilder::new();
            let quoted = line.byte_at(start) == Some(self.enclosure);
            if quoted {
                line.at = start + 1;
                self.read_quoted(&mut line, &mut field, &mut more)?;
            }
            // What follows up to the delimiter belongs to the field, blanks before an opening quote do not.
            let rest = &line.bytes()[line.at..line.end];
            let length = memchr::memchr(self.delimiter, rest).unwrap_or(rest.len());
            let rest = &rest[..length];
            field.extend(if quoted { rest } else { &rest[..content_len(rest)] })?;
            line.at += length;
            fields.append(field.finish());
            if line.at >= line.end {
                return Ok(Some(fields));
            }
            line.at += 1;
        }
    }

    /// Reads from after the opening quote to after the closing one.
    fn read_quoted<E: From<OutOfMemory>>(
        &self,
        line: &mut Line,
        field: &mut PStrBuilder,
        more: &mut impl FnMut() -> Result<Option<PStr>, E>,
    ) -> Result<(), E> {
        loop {
            let Some(byte) = line.byte_at(line.at) else {
                field.extend(&line.bytes()[line.end..])?;
                match more()? {
                    Some(next) => {
                        line.end = content_len(&next);
                        line.later = Some(next);
                        line.at = 0;
                        continue;
                    }
                    None => {
                        line.at = line.end;
                        return Ok(());
                    }
                }
            };
            line.at += 1;
            if byte == self.enclosure {
                if line.byte_at(line.at) != Some(self.enclosure) {
                    return Ok(());
                }
                line.at += 1;
            } else if Some(byte) == self.escape
                && let Some(escaped) = line.byte_at(line.at)
            {
                // An escape keeps itself and the byte after it.
                field.push(byte)?;
                line.at += 1;
                field.push(escaped)?;
                continue;
            }
            field.push(byte)?;
        }
    }

    /// Appends one field of fputcsv's line, quoted where it must be.
    pub fn write_field(&self, field: &[u8], out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
        let quotes = |&byte: &u8| {
            byte == self.delimiter
                || byte == self.enclosure
                || Some(byte) == self.escape
                || matches!(byte, b'\n' | b'\r' | b'\t' | b' ')
        };
        if !field.iter().any(quotes) {
            return out.extend(field);
        }
        let mut escaped = false;
        out.push(self.enclosure)?;
        for &byte in field {
            if Some(byte) == self.escape {
                escaped = true;
            } else if !escaped && byte == self.enclosure {
                out.push(self.enclosure)?;
            } else {
                escaped = false;
            }
            out.push(byte)?;
        }
        out.push(self.enclosure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, rows, show};

    fn dialect(bytes: &[u8]) -> Dialect {
        Dialect {
            delimiter: bytes[0],
            enclosure: bytes[1],
            escape: bytes.get(2).copied(),
        }
    }

    #[test]
    fn reads_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/csv_read.tsv")) {
            let [text, options, expected] = &row[..] else {
                panic!("bad row")
            };
            let fields = dialect(options).read(text, || Ok::<_, OutOfMemory>(None))?;
            let found = match fields {
                None => "null".to_string(),
                Some(fields) => fields
                    .values()
                    .map(|field| show(field.as_str().unwrap()))
                    .collect::<Vec<_>>()
                    .join("|"),
            };
            samples.check(
                found,
                show(expected),
                format!("{} {}", show(text), show(options)),
            );
        }
        Ok(())
    }

    #[test]
    fn writes_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/csv_write.tsv")) {
            let [fields, options, expected] = &row[..] else {
                panic!("bad row")
            };
            let mut out = PStrBuilder::new();
            for (n, field) in fields.split(|&byte| byte == b'|').enumerate() {
                if n > 0 {
                    out.push(dialect(options).delimiter)?;
                }
                dialect(options).write_field(field, &mut out)?;
            }
            out.push(b'\n')?;
            samples.check(
                show(&out),
                show(expected),
                format!("{} {}", show(fields), show(options)),
            );
        }
        Ok(())
    }

    #[test]
    fn a_quoted_field_goes_on() -> Result<(), OutOfMemory> {
        let mut lines = vec![PStr::new(b"c\"\r\n")];
        let fields = Dialect::default().read(b"a,\"b\r\n", || Ok::<_, OutOfMemory>(lines.pop()))?.unwrap();
        assert!(fields.values().filter_map(|field| field.as_str()).eq([PStr::new(b"a"), PStr::new(b"b\r\nc")].iter()));
        Ok(())
    }
}
