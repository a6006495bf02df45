//! The bytes inside of packets: a reader that never goes out of range, and what writes them.
//!
//! A server may send anything. Every read says whether there was enough; nothing here panics on what came in.

/// Reads the parts of one packet, front to back.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The packet ended before its content did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short;

pub type Tried<T> = Result<T, Short>;

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }
    pub fn position(&self) -> usize {
        self.at
    }
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }
    pub fn take(&mut self, len: usize) -> Tried<&'a [u8]> {
        if len > self.left() {
            return Err(Short);
        }
        let part = &self.bytes[self.at..self.at + len];
        self.at += len;
        Ok(part)
    }
    pub fn array<const N: usize>(&mut self) -> Tried<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| Short)
    }
    pub fn skip(&mut self, len: usize) -> Tried<()> {
        self.take(len).map(drop)
    }
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
    pub fn u8(&mut self) -> Tried<u8> {
        self.array::<1>().map(|b| b[0])
    }
    pub fn u16(&mut self) -> Tried<u16> {
        self.array().map(u16::from_le_bytes)
    }
    pub fn u24(&mut self) -> Tried<u32> {
        self.array::<3>().map(|[a, b, c]| u32::from_le_bytes([a, b, c, 0]))
    }
    pub fn u32(&mut self) -> Tried<u32> {
        self.array().map(u32::from_le_bytes)
    }
    pub fn u64(&mut self) -> Tried<u64> {
        self.array().map(u64::from_le_bytes)
    }
    /// A length-encoded number; `None` is the mark of NULL.
    pub fn number(&mut self) -> Tried<Option<u64>> {
        Ok(Some(match self.u8()? {
            251 => return Ok(None),
            252 => u64::from(self.u16()?),
            253 => u64::from(self.u24()?),
            254 => self.u64()?,
            255 => return Err(Short),
            small => u64::from(small),
        }))
    }
    /// A length-encoded string; `None` is NULL.
    pub fn text(&mut self) -> Tried<Option<&'a [u8]>> {
        match self.number()? {
            None => Ok(None),
            Some(len) => self.take(usize::try_from(len).map_err(|_| Short)?).map(Some),
        }
    }
    /// Up to a NUL, which is passed; all that is left when there is none.
    pub fn until_nul(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        match rest.iter().position(|b| *b == 0) {
            Some(end) => {
                self.at += end + 1;
                &rest[..end]
            }
            None => self.rest(),
        }
    }
}

/// Appends a length-encoded number.
pub fn put_number(to: &mut Vec<u8>, n: u64) {
    match n {
        0..=250 => to.push(n as u8),
        251..=0xffff => {
            to.push(252);
            to.extend_from_slice(&(n as u16).to_le_bytes());
        }
        0x1_0000..=0xff_ffff => {
            to.push(253);
            to.extend_from_slice(&(n as u32).to_le_bytes()[..3]);
        }
        _ => {
            to.push(254);
            to.extend_from_slice(&n.to_le_bytes());
        }
    }
}

/// Appends a length-encoded string.
pub fn put_text(to: &mut Vec<u8>, text: &[u8]) {
    put_number(to, text.len() as u64);
    to.extend_from_slice(text);
}

/// Bytes that [`put_text`] appends.
pub fn text_size(text: &[u8]) -> usize {
    let head = match text.len() {
        0..=250 => 1,
        251..=0xffff => 3,
        0x1_0000..=0xff_ffff => 4,
        _ => 9,
    };
    head + text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for n in [0, 250, 251, 65535, 65536, 0xff_ffff, 0x100_0000, u64::MAX] {
            let mut bytes = Vec::new();
            put_number(&mut bytes, n);
            let mut reader = Reader::new(&bytes);
            assert_eq!(reader.number(), Ok(Some(n)));
            assert_eq!(reader.left(), 0);
            for cut in 0..bytes.len() {
                assert_eq!(Reader::new(&bytes[..cut]).number(), Err(Short));
            }
        }
    }

    #[test]
    fn lengths_are_not_believed() {
        assert_eq!(Reader::new(&[254, 255, 255, 255, 255, 255, 255, 255, 255, 1]).text(), Err(Short));
        assert_eq!(Reader::new(&[5, 1, 2]).text(), Err(Short));
        assert_eq!(Reader::new(&[251]).text(), Ok(None));
        assert_eq!(Reader::new(b"ab\0cd").until_nul(), b"ab");
        assert_eq!(Reader::new(b"ab").until_nul(), b"ab");
    }
}
