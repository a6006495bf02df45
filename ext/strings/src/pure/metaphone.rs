//! metaphone: how an English word sounds, as consonants (`0` stands for "th", `X` for "sh").

use jumbo_value::{OutOfMemory, PStr, PStrBuilder};

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'A' | b'E' | b'I' | b'O' | b'U')
}

/// Letters that make C and G before them soft.
fn softens(letter: u8) -> bool {
    matches!(letter, b'E' | b'I' | b'Y')
}

struct Word<'w> {
    text: &'w [u8],
    at: usize,
}

impl Word<'_> {
    /// The letter `ahead` places on, upper case; 0 past the end.
    fn ahead(&self, ahead: usize) -> u8 {
        self.text
            .get(self.at + ahead)
            .map_or(0, u8::to_ascii_uppercase)
    }

    /// The letter `behind` places back; 0 before the start.
    fn behind(&self, behind: usize) -> u8 {
        self.at
            .checked_sub(behind)
            .and_then(|at| self.text.get(at))
            .map_or(0, u8::to_ascii_uppercase)
    }
}

/// The sound of `text`, of at most `max` letters (0: all).
pub fn metaphone(text: &[u8], max: usize) -> Result<PStr, OutOfMemory> {
    let mut word = Word { text, at: 0 };
    let mut out = PStrBuilder::new();
    let Some(start) = text.iter().position(u8::is_ascii_alphabetic) else {
        return Ok(PStr::empty());
    };
    word.at = start;
    begin(&mut word, &mut out)?;
    while word.at < text.len() && (max == 0 || out.len() < max) {
        let letter = word.ahead(0);
        // Doubled letters sound once, but a C may differ from the C before it.
        if letter.is_ascii_alphabetic() && (letter != word.behind(1) || letter == b'C') {
            word.at += 1 + sound(&word, letter, &mut out)?;
        } else {
            word.at += 1;
        }
    }
    Ok(out.finish())
}

/// The beginning of a word has its own rules.
fn begin(word: &mut Word<'_>, out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
    match (word.ahead(0), word.ahead(1)) {
        (b'A', b'E') => {
            out.push(b'E')?;
            word.at += 2;
        }
        (b'G' | b'K' | b'P', b'N') => {
            out.push(b'N')?;
            word.at += 2;
        }
        (b'X', _) => {
            out.push(b'S')?;
            word.at += 1;
        }
        (b'W', b'R') => {
            out.push(b'R')?;
            word.at += 2;
        }
        (b'W', next) if next == b'H' || is_vowel(next) => {
            out.push(b'W')?;
            word.at += 2;
        }
        (b'W', _) => word.at += 1,
        (letter, _) if is_vowel(letter) => {
            out.push(letter)?;
            word.at += 1;
        }
        _ => {}
    }
    Ok(())
}

/// Writes the sound of `letter`, and returns how many letters after it belong to it.
fn sound(word: &Word<'_>, letter: u8, out: &mut PStrBuilder) -> Result<usize, OutOfMemory> {
    let (before, next, after) = (word.behind(1), word.ahead(1), word.ahead(2));
    let mut skip = 0;
    match letter {
        b'B' if before == b'M' => {}
        b'C' => {
            if softens(next) {
                if next == b'I' && after == b'A' {
                    out.push(b'X')?;
                } else if before != b'S' {
                    out.push(b'S')?;
                }
            } else if next == b'H' {
                out.push(b'X')?;
                skip = 1;
            } else {
                out.push(b'K')?;
            }
        }
        b'D' if next == b'G' && softens(after) => {
            out.push(b'J')?;
            skip = 1;
        }
        b'D' => out.push(b'T')?,
        b'G' => {
            if next == b'H' {
                if !(matches!(word.behind(3), b'B' | b'D' | b'H') || word.behind(4) == b'H') {
                    out.push(b'F')?;
                    skip = 1;
                }
            } else if next == b'N' {
                let ends = !after.is_ascii_alphabetic() || after == b'E' && word.ahead(3) == b'D';
                if !ends {
                    out.push(b'K')?;
                }
            } else if softens(next) && before != b'G' {
                out.push(b'J')?;
            } else {
                out.push(b'K')?;
            }
        }
        b'H' if is_vowel(next) && !matches!(before, b'C' | b'G' | b'P' | b'S' | b'T') => {
            out.push(b'H')?
        }
        b'K' if before != b'C' => out.push(b'K')?,
        b'P' if next == b'H' => out.push(b'F')?,
        b'Q' => out.push(b'K')?,
        b'S' => {
            if next == b'I' && matches!(after, b'O' | b'A') {
                out.push(b'X')?;
            } else if next == b'H' {
                out.push(b'X')?;
                skip = 1;
            } else {
                out.push(b'S')?;
            }
        }
        b'T' => {
            if next == b'I' && matches!(after, b'O' | b'A') {
                out.push(b'X')?;
            } else if next == b'H' {
                out.push(b'0')?;
                skip = 1;
            } else if !(next == b'C' && after == b'H') {
                out.push(b'T')?;
            }
        }
        b'V' => out.push(b'F')?,
        b'W' | b'Y' if is_vowel(next) => out.push(letter)?,
        b'X' => out.extend(b"KS")?,
        b'Z' => out.push(b'S')?,
        b'B' | b'F' | b'J' | b'L' | b'M' | b'N' | b'P' | b'R' => out.push(letter)?,
        _ => {}
    }
    Ok(skip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, rows, show};

    #[test]
    fn sounds_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/metaphone.tsv")) {
            let [text, expected] = &row[..] else {
                panic!("bad row")
            };
            samples.check(
                show(&metaphone(text, 0)?),
                show(expected),
                format!("{}", show(text)),
            );
        }
        Ok(())
    }
}
