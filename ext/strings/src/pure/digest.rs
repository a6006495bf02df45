//! md5, sha1 and crc32, which PHP has outside of the hash extension too.

use digest::Digest;
use md5::Md5;
use sha1::Sha1;

pub fn md5(data: &[u8]) -> [u8; 16] {
    Md5::digest(data).into()
}

pub fn sha1(data: &[u8]) -> [u8; 20] {
    Sha1::digest(data).into()
}

pub fn crc32(data: &[u8]) -> u32 {
    crc32fast::hash(data)
}

/// A digest over data that comes in pieces, for md5_file and sha1_file.
pub struct Running<D>(D);

pub type RunningMd5 = Running<Md5>;
pub type RunningSha1 = Running<Sha1>;

impl<D: Digest> Default for Running<D> {
    fn default() -> Self {
        Running(D::new())
    }
}

impl<D: Digest> Running<D> {
    pub fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    pub fn finish(self) -> Vec<u8> {
        self.0.finalize().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::encode::hex_encode;

    #[test]
    fn known_digests() -> Result<(), jumbo_value::OutOfMemory> {
        assert_eq!(
            hex_encode(&md5(b"hello"))?,
            b"5d41402abc4b2a76b9719d911017c592"
        );
        assert_eq!(
            hex_encode(&sha1(b"hello"))?,
            b"aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"
        );
        assert_eq!(crc32(b"hello"), 0x3610_a686);
        let mut running = RunningMd5::default();
        running.update(b"hel");
        running.update(b"lo");
        assert_eq!(running.finish(), md5(b"hello"));
        Ok(())
    }
}
