//! md5, sha1 and crc32, which PHP has outside of the hash extension too.

use digest::Digest;
use md5::Md5;
use sha1::Sha1;

pub type RunningCrc32 = crc32fast::Hasher;

/// A digest over data that comes in pieces.
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

    pub fn finish(self) -> digest::Output<D> {
        self.0.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::encode::hex_encode;

    #[test]
    fn known_digests() -> Result<(), jumbo_value::OutOfMemory> {
        fn hex<D: Digest>(pieces: [&[u8]; 2]) -> Result<jumbo_value::PStr, jumbo_value::OutOfMemory> {
            let mut running = Running::<D>::default();
            for piece in pieces {
                running.update(piece);
            }
            hex_encode(&running.finish())
        }
        assert_eq!(hex::<Md5>([b"hello", b""])?, b"5d41402abc4b2a76b9719d911017c592");
        assert_eq!(hex::<Md5>([b"hel", b"lo"])?, b"5d41402abc4b2a76b9719d911017c592");
        assert_eq!(
            hex::<Sha1>([b"hel", b"lo"])?,
            b"aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"
        );
        let mut crc = RunningCrc32::default();
        crc.update(b"hello");
        assert_eq!(crc.finalize(), 0x3610_a686);
        Ok(())
    }
}
