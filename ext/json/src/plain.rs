//! Runs of bytes that stand in a JSON string as they are.

/// What a byte is not plain for.
const DECODED: u8 = 1;
const ENCODED: u8 = 2;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut b = 0;
    while b < 256 {
        let decoded = b < 0x20 || b >= 0x80 || b == b'"' as usize || b == b'\\' as usize;
        let flags = matches!(b as u8, b'/' | b'<' | b'>' | b'&' | b'\'');
        classes[b] = if decoded { DECODED | ENCODED } else if flags { ENCODED } else { 0 };
        b += 1;
    }
    classes
};

#[inline(always)]
fn run(text: &[u8], class: u8) -> usize {
    text.iter().position(|&b| CLASSES[b as usize] & class != 0).unwrap_or(text.len())
}

/// The length of the ASCII at the start of `text`, the rest of a string that is read, without an escape or the end of the string in it.
pub fn decoded(text: &[u8]) -> usize {
    run(text, DECODED)
}

/// The length of what is written as it is, whatever the flags, at the start of `text`.
pub fn encoded(text: &[u8]) -> usize {
    run(text, ENCODED)
}
