//! Lines of comma-separated values, as fgetcsv and fputcsv read and write them.

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

impl Dialect {
    /// Reads the fields of `line`, which may have its line end. When a quoted field goes on, `more` is asked for the
    /// next line, with its line end. `None` stands for a blank line (PHP: an array with one null).
    pub fn read(
        &self,
        line: &[u8],
        mut more: impl FnMut() -> Option<Vec<u8>>,
    ) -> Option<Vec<Vec<u8>>> {
        let mut line = line.to_vec();
        let mut end = content_len(&line);
        let mut at = 0;
        let mut fields = Vec::new();
        let mut first = true;
        loop {
            if first && at == end {
                return None;
            }
            let blanks = line[at..end]
                .iter()
                .take_while(|&&byte| is_space(byte) && byte != self.delimiter)
                .count();
            let start = at + blanks;
            first = false;
            let mut field = Vec::new();
            let quoted = line[..end].get(start) == Some(&self.enclosure);
            if quoted {
                at = start + 1;
                self.read_quoted(&mut line, &mut end, &mut at, &mut field, &mut more);
            }
            // What follows up to the delimiter belongs to the field, blanks before an opening quote do not.
            let length = line[at..end]
                .iter()
                .position(|&byte| byte == self.delimiter)
                .unwrap_or(end - at);
            let rest = &line[at..at + length];
            field.extend_from_slice(if quoted {
                rest
            } else {
                &rest[..content_len(rest)]
            });
            at += length;
            fields.push(field);
            if at >= end {
                return Some(fields);
            }
            at += 1;
        }
    }

    /// Reads from after the opening quote to after the closing one.
    fn read_quoted(
        &self,
        line: &mut Vec<u8>,
        end: &mut usize,
        at: &mut usize,
        field: &mut Vec<u8>,
        more: &mut impl FnMut() -> Option<Vec<u8>>,
    ) {
        loop {
            let Some(&byte) = line[..*end].get(*at) else {
                field.extend_from_slice(&line[*end..]);
                match more() {
                    Some(next) => {
                        *line = next;
                        *end = content_len(line);
                        *at = 0;
                        continue;
                    }
                    None => {
                        *at = *end;
                        return;
                    }
                }
            };
            *at += 1;
            if byte == self.enclosure {
                if line[..*end].get(*at) != Some(&self.enclosure) {
                    return;
                }
                *at += 1;
            } else if Some(byte) == self.escape
                && let Some(&escaped) = line[..*end].get(*at)
            {
                // An escape keeps itself and the byte after it.
                field.push(byte);
                *at += 1;
                field.push(escaped);
                continue;
            }
            field.push(byte);
        }
    }

    /// Appends one field, quoted where it must be.
    fn write_field(&self, field: &[u8], out: &mut Vec<u8>) {
        let quotes = |&byte: &u8| {
            byte == self.delimiter
                || byte == self.enclosure
                || Some(byte) == self.escape
                || matches!(byte, b'\n' | b'\r' | b'\t' | b' ')
        };
        if !field.iter().any(quotes) {
            out.extend_from_slice(field);
            return;
        }
        let mut escaped = false;
        out.push(self.enclosure);
        for &byte in field {
            if Some(byte) == self.escape {
                escaped = true;
            } else if !escaped && byte == self.enclosure {
                out.push(self.enclosure);
            } else {
                escaped = false;
            }
            out.push(byte);
        }
        out.push(self.enclosure);
    }

    /// fputcsv's line, with `eol` at its end.
    pub fn write<'f>(
        &self,
        fields: impl IntoIterator<Item = &'f [u8]>,
        eol: &[u8],
        out: &mut Vec<u8>,
    ) {
        for (index, field) in fields.into_iter().enumerate() {
            if index > 0 {
                out.push(self.delimiter);
            }
            self.write_field(field, out);
        }
        out.extend_from_slice(eol);
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
    fn reads_as_php() {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/csv_read.tsv")) {
            let [text, options, expected] = &row[..] else {
                panic!("bad row")
            };
            let found = match dialect(options).read(text, || None) {
                None => "null".to_string(),
                Some(fields) => fields
                    .iter()
                    .map(|field| show(field))
                    .collect::<Vec<_>>()
                    .join("|"),
            };
            samples.check(
                found,
                show(expected),
                format!("{} {}", show(text), show(options)),
            );
        }
    }

    #[test]
    fn writes_as_php() {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/csv_write.tsv")) {
            let [fields, options, expected] = &row[..] else {
                panic!("bad row")
            };
            let mut out = Vec::new();
            dialect(options).write(fields.split(|&byte| byte == b'|'), b"\n", &mut out);
            samples.check(
                show(&out),
                show(expected),
                format!("{} {}", show(fields), show(options)),
            );
        }
    }

    #[test]
    fn a_quoted_field_goes_on() {
        let mut lines = vec![b"c\"\r\n".to_vec()];
        let fields = Dialect::default().read(b"a,\"b\r\n", || lines.pop());
        assert_eq!(fields.unwrap(), [&b"a"[..], b"b\r\nc"]);
    }
}
