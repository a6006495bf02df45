//! hebrev: Hebrew in logical order, one byte a letter (ISO-8859-8), into the order in which it is seen from left to right.
//!
//! The text is split into runs that alternate between right-to-left and left-to-right; a Hebrew run takes the blanks, punctuation and
//! line feeds around it. Laid out from the right, the runs make one long line, whose end is what is read first: it is cut into lines from
//! there. Cutting keeps no separate notion of line ends, which is why a text's trailing blank comes out as a line feed. The rules were
//! found by comparison with PHP's results.

use jumbo_value::{OutOfMemory, PStr, PStrBuilder};

fn is_letter(byte: u8) -> bool {
    (224..=250).contains(&byte)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// What stands in a Hebrew run in place of `byte`: brackets and slashes point the other way.
fn mirrored(byte: u8) -> u8 {
    match byte {
        b'(' => b')',
        b')' => b'(',
        b'[' => b']',
        b']' => b'[',
        b'{' => b'}',
        b'}' => b'{',
        b'<' => b'>',
        b'>' => b'<',
        b'\\' => b'/',
        b'/' => b'\\',
        other => other,
    }
}

/// The end of the run that begins with the first byte of `text`, which is not empty, whatever that byte is.
fn run_length(text: &[u8], right_to_left: bool) -> usize {
    let rest = &text[1..];
    if right_to_left {
        let in_run = |&byte: &u8| is_letter(byte) || is_blank(byte) || byte == b'\n' || byte.is_ascii_punctuation();
        return 1 + rest.iter().take_while(|byte| in_run(byte)).count();
    }
    let run = 1 + rest.iter().take_while(|&&byte| !is_letter(byte) && byte != b'\n').count();
    // What separates it from the next run belongs to that one.
    let separates = |&byte: &u8| is_blank(byte) || (byte.is_ascii_punctuation() && !matches!(byte, b'/' | b'-'));
    run - text[1..run].iter().rev().take_while(|byte| separates(byte)).count()
}

/// The whole text as one line.
fn laid_out(text: &[u8]) -> Result<PStrBuilder, OutOfMemory> {
    let mut out = PStrBuilder::new();
    out.fill(0, text.len())?;
    let line = out.as_mut_bytes();
    let mut right_to_left = text.first().copied().is_some_and(is_letter);
    let mut from = 0;
    while from < text.len() {
        let run = &text[from..from + run_length(&text[from..], right_to_left)];
        let place = text.len() - from - run.len();
        let place = &mut line[place..place + run.len()];
        if right_to_left {
            for (to, &byte) in place.iter_mut().zip(run.iter().rev()) {
                *to = mirrored(byte);
            }
        } else {
            place.copy_from_slice(run);
        }
        from += run.len();
        right_to_left = !right_to_left;
    }
    Ok(out)
}

/// `max_per_line` is the number of characters *before* the last one of a line; 0 is no limit, and below it every character is a line.
pub fn visual(text: &[u8], max_per_line: i64) -> Result<PStr, OutOfMemory> {
    let mut line = laid_out(text)?;
    let line = line.as_mut_bytes();
    let mut out = PStrBuilder::with_capacity(text.len())?;
    // `line[..end]` is to be cut still.
    let mut end = line.len();
    while end > 0 {
        let last = end - 1;
        let limit = match max_per_line {
            0 => last,
            max => usize::try_from(max).unwrap_or(0).min(last),
        };
        let earliest = last - limit;
        let mut start = match line[earliest..last].iter().rposition(|&byte| is_line_end(byte)) {
            // A line end takes along those before it.
            Some(at) => {
                let at = earliest + at;
                at - line[..at].iter().rev().take_while(|&&byte| is_line_end(byte)).count()
            }
            None => earliest,
        };
        if max_per_line > 0 && i64::try_from(last - start) == Ok(max_per_line) {
            // The line is full: it begins with a word, if it has more than one.
            let breaks = line[start..last].iter().position(|&byte| is_blank(byte) || is_line_end(byte));
            start += breaks.unwrap_or(0);
        }
        if is_blank(line[start]) {
            line[start] = b'\n';
        }
        let ends = line[start..end].iter().take_while(|&&byte| is_line_end(byte)).count();
        out.extend(&line[start + ends..end])?;
        out.extend(&line[start..start + ends])?;
        end = start;
    }
    Ok(out.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_lines() -> Result<(), OutOfMemory> {
        let cases: &[(&[u8], i64, &[u8])] = &[
            (b"", 0, b""),
            (b"\xe0\xe1\xe2 abc \xe3\xe4", 0, b"\xe4\xe3 abc \xe2\xe1\xe0"),
            (b"(abc)", 0, b"((abc"),
            (b"\xe0 [1/2]", 0, b"[1/2] \xe0"),
            (b"\nabc", 0, b"abc\n"),
            (b"\xe0\xe1\xe2 ", 0, b"\xe2\xe1\xe0\n"),
            (b"\xe0\xe1 \xe2\xe3", 3, b"\xe1\xe0\n\xe3\xe2"),
            (b"ab", -1, b"ba"),
        ];
        for (text, max, expected) in cases {
            assert_eq!(visual(text, *max)?.as_bytes(), *expected, "{text:?} {max}");
        }
        Ok(())
    }
}
