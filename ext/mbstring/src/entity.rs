//! mb_encode_numericentity and mb_decode_numericentity.

use crate::encoding::Codes;
use jumbo_value::OutOfMemory;

/// One row of the map: which code points, what is added, and which bits are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    pub first: u32,
    pub last: u32,
    pub offset: i64,
    pub mask: u32,
}

/// The code points of `codes`, those in the map as entities.
pub fn encode(codes: &[u32], map: &[Row], hexadecimal: bool) -> Result<Codes, OutOfMemory> {
    let mut out = Codes::with_capacity(codes.len())?;
    for &code in codes {
        match map
            .iter()
            .find(|row| (row.first..=row.last).contains(&code))
        {
            Some(row) => {
                let number = (i64::from(code).wrapping_add(row.offset) as u32) & row.mask;
                let text = if hexadecimal {
                    format!("&#x{number:X};")
                } else {
                    format!("&#{number};")
                };
                for byte in text.bytes() {
                    out.push(u32::from(byte))?;
                }
            }
            None => out.push(code)?,
        }
    }
    Ok(out)
}

/// The entities of `codes` that the map makes, undone.
pub fn decode(codes: &[u32], map: &[Row]) -> Result<Codes, OutOfMemory> {
    let mut out = Codes::with_capacity(codes.len())?;
    let mut at = 0;
    while at < codes.len() {
        match entity(&codes[at..]).and_then(|(number, length)| Some((undone(number, map)?, length)))
        {
            Some((code, length)) => {
                out.push(code)?;
                at += length;
            }
            None => {
                out.push(codes[at])?;
                at += 1;
            }
        }
    }
    Ok(out)
}

fn undone(number: u32, map: &[Row]) -> Option<u32> {
    map.iter().find_map(|row| {
        let code = number.wrapping_sub(row.offset as u32);
        (row.first..=row.last).contains(&code).then_some(code)
    })
}

/// The number of the entity that `codes` begins with, and its length; the semicolon may be missing.
fn entity(codes: &[u32]) -> Option<(u32, usize)> {
    let is = |at: usize, byte: u8| codes.get(at) == Some(&u32::from(byte));
    if !is(0, b'&') || !is(1, b'#') {
        return None;
    }
    let (radix, start) = if is(2, b'x') || is(2, b'X') {
        (16, 3)
    } else {
        (10, 2)
    };
    let digit = |&code: &u32| char::from_u32(code).and_then(|character| character.to_digit(radix));
    let digits: Vec<u32> = codes[start.min(codes.len())..]
        .iter()
        .map_while(digit)
        .take(11)
        .collect();
    // As many digits as 32 bits may need.
    if digits.is_empty() || digits.len() > if radix == 16 { 8 } else { 10 } {
        return None;
    }
    let number = digits.iter().try_fold(0u32, |number, digit| {
        number.checked_mul(radix)?.checked_add(*digit)
    })?;
    let end = start + digits.len();
    Some((number, if is(end, b';') { end + 1 } else { end }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities() {
        let map = [Row {
            first: 0x80,
            last: 0x10_ffff,
            offset: 0,
            mask: 0x1f_ffff,
        }];
        let codes = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
        assert_eq!(encode(&codes("aé€"), &map, false).unwrap()[..], codes("a&#233;&#8364;"));
        assert_eq!(encode(&codes("é"), &map, true).unwrap()[..], codes("&#xE9;"));
        assert_eq!(
            decode(&codes("a&#233;&#x20AC;&#65;&#;&amp;"), &map).unwrap()[..],
            codes("aé€&#65;&#;&amp;")
        );
    }
}
