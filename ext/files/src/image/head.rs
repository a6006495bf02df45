//! The heads of image files: kind, width, height, bits, channels. Knows nothing of PHP.
//!
//! All reads are checked: a file may be cut or lie about its lengths anywhere.

/// PHP's numbers of image types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum Kind {
    Gif = 1,
    Jpeg,
    Png,
    Swf,
    Psd,
    Bmp,
    TiffIi,
    TiffMm,
    Jpc,
    Jp2,
    Jpx,
    Jb2,
    Swc,
    Iff,
    Wbmp,
    Xbm,
    Ico,
    Webp,
    Avif,
}

impl Kind {
    pub fn from_number(n: i64) -> Option<Kind> {
        use Kind::*;
        let all = [Gif, Jpeg, Png, Swf, Psd, Bmp, TiffIi, TiffMm, Jpc, Jp2, Jpx, Jb2, Swc, Iff, Wbmp, Xbm, Ico, Webp, Avif];
        all.into_iter().find(|k| *k as i64 == n)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Image {
    pub kind: Kind,
    pub width: u32,
    pub height: u32,
    /// 0: not known.
    pub bits: u32,
    pub channels: u32,
}

pub enum Found {
    Image(Image),
    Nothing,
    /// Too short to tell what it is.
    TooShort,
    BrokenPng,
}

/// Number and content of the first application section of each number in a JPEG file.
pub type Sections<'b> = Vec<(u8, &'b [u8])>;

/// Longest text line that an XBM file is searched in, and largest size of a WBMP image: they have no mark of their own.
const WBMP_MAX: u32 = 2048;

fn be16(b: &[u8], at: usize) -> Option<u32> {
    Some(u32::from(u16::from_be_bytes(b.get(at..at.checked_add(2)?)?.try_into().ok()?)))
}
fn be32(b: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(b.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
fn le16(b: &[u8], at: usize) -> Option<u32> {
    Some(u32::from(u16::from_le_bytes(b.get(at..at.checked_add(2)?)?.try_into().ok()?)))
}
fn le32(b: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(b.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
fn byte(b: &[u8], at: usize) -> Option<u32> {
    b.get(at).map(|b| u32::from(*b))
}

fn image(kind: Kind, width: u32, height: u32, bits: u32, channels: u32) -> Image {
    Image { kind, width, height, bits, channels }
}

pub fn read<'b>(b: &'b [u8], sections: Option<&mut Sections<'b>>, extraneous: &mut dyn FnMut(usize)) -> Found {
    let found = match b {
        [b'G', b'I', b'F', ..] => gif(b),
        [0xff, 0xd8, 0xff, ..] => jpeg(b, sections, extraneous),
        [0x89, b'P', b'N', ..] => {
            if b.len() < 8 {
                return Found::TooShort;
            }
            if !b.starts_with(b"\x89PNG\r\n\x1a\n") {
                return Found::BrokenPng;
            }
            png(b)
        }
        [b'F', b'W', b'S', ..] => swf(b.get(8..).unwrap_or_default()).map(|(w, h)| image(Kind::Swf, w, h, 0, 0)),
        [b'C', b'W', b'S', ..] => swc(b),
        [b'8', b'B', b'P', ..] => psd(b),
        [b'B', b'M', ..] if b.len() >= 3 => bmp(b),
        [0xff, 0x4f, 0xff, ..] => jpc(b.get(3..).unwrap_or_default()).map(|i| image(Kind::Jpc, i.width, i.height, i.bits, i.channels)),
        _ if b.len() < 3 => return Found::TooShort,
        _ if b.len() < 4 => return Found::TooShort,
        [b'I', b'I', b'*', 0, ..] => tiff(b, false),
        [b'M', b'M', 0, b'*', ..] => tiff(b, true),
        [b'F', b'O', b'R', b'M', ..] => iff(b),
        [0, 0, 1, 0, ..] => ico(b),
        [b'R', b'I', b'F', b'F', ..] if b.get(8..12) == Some(b"WEBP") => webp(b),
        _ if b.len() < 12 => wbmp(b).or_else(|| xbm(b)),
        [0, 0, 0, 0x0c, b'j', b'P', b' ', b' ', 0x0d, 0x0a, 0x87, 0x0a, ..] => jp2(b),
        _ if b.get(4..8) == Some(b"ftyp") && is_avif(b) => avif(b),
        _ => wbmp(b).or_else(|| xbm(b)),
    };
    found.map_or(Found::Nothing, Found::Image)
}

fn gif(b: &[u8]) -> Option<Image> {
    let (width, height, flags) = (le16(b, 6)?, le16(b, 8)?, byte(b, 10)?);
    b.get(..11)?;
    let bits = if flags & 0x80 != 0 { (flags & 7) + 1 } else { 0 };
    Some(image(Kind::Gif, width, height, bits, 3))
}

fn png(b: &[u8]) -> Option<Image> {
    Some(image(Kind::Png, be32(b, 16)?, be32(b, 20)?, byte(b, 24)?, 0))
}

fn psd(b: &[u8]) -> Option<Image> {
    Some(image(Kind::Psd, be32(b, 18)?, be32(b, 14)?, 0, 0))
}

fn bmp(b: &[u8]) -> Option<Image> {
    b.get(14..30)?;
    match le32(b, 14)? {
        12 => Some(image(Kind::Bmp, le16(b, 18)?, le16(b, 20)?, le16(b, 24)?, 0)),
        size if size > 12 && (size <= 64 || size == 108 || size == 124) => {
            let height = (le32(b, 22)? as i32).unsigned_abs();
            Some(image(Kind::Bmp, le32(b, 18)?, height, le16(b, 28)?, 0))
        }
        _ => None,
    }
}

/// The rectangle behind the head of a Flash file: four signed numbers of a bit length that stands before them, in twips.
fn swf(b: &[u8]) -> Option<(u32, u32)> {
    let bit = |at: usize| byte(b, at / 8).map(|v| v >> (7 - at % 8) & 1);
    let length = (0..5).try_fold(0, |n, at| Some(n << 1 | bit(at)?))? as usize;
    let number = |n: usize| -> Option<i64> {
        let start = 5 + n * length;
        let mut value = 0i64;
        for at in start..start + length {
            value = value << 1 | i64::from(bit(at)?);
        }
        // The first bit is the sign.
        if length > 0 && value >> (length - 1) & 1 == 1 {
            value -= 1 << length;
        }
        Some(value)
    };
    let (left, right, top, bottom) = (number(0)?, number(1)?, number(2)?, number(3)?);
    Some((((right - left) / 20) as u32, ((bottom - top) / 20) as u32))
}

fn swc(b: &[u8]) -> Option<Image> {
    use std::io::Read;
    let mut plain = Vec::new();
    // The rectangle is in the first bytes; what comes after an error is of no interest.
    let _ = flate2::read::ZlibDecoder::new(b.get(8..)?).take(64).read_to_end(&mut plain);
    let (width, height) = swf(&plain)?;
    Some(image(Kind::Swc, width, height, 0, 0))
}

/// `extraneous`: how many bytes stand before a marker where none should.
fn jpeg<'b>(b: &'b [u8], mut sections: Option<&mut Sections<'b>>, extraneous: &mut dyn FnMut(usize)) -> Option<Image> {
    let mut found: Option<Image> = None;
    let mut at = 2;
    loop {
        // A marker: 0xff any number of times, then its code.
        let expected = at;
        while *b.get(at)? != 0xff {
            at += 1;
        }
        if at > expected {
            extraneous(at - expected);
        }
        while *b.get(at)? == 0xff {
            at += 1;
            if at >= b.len() {
                return found;
            }
        }
        let marker = b[at];
        at += 1;
        match marker {
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                if found.is_none() {
                    let Some(head) = b.get(at..at + 8) else { return found };
                    found = Some(image(Kind::Jpeg, be16(head, 5)?, be16(head, 3)?, byte(head, 2)?, byte(head, 7)?));
                    if sections.is_none() {
                        return found;
                    }
                }
            }
            0xe0..=0xef => {
                if let Some(sections) = sections.as_deref_mut() {
                    let Some(length) = be16(b, at).filter(|n| *n >= 2) else { return found };
                    let Some(content) = b.get(at + 2..at + length as usize) else { return found };
                    let number = marker - 0xe0;
                    if sections.iter().all(|(known, _)| *known != number) {
                        sections.push((number, content));
                    }
                }
            }
            0xd9 | 0xda => return found,
            _ => {}
        }
        // All that come here have a length.
        match be16(b, at).filter(|n| *n >= 2) {
            Some(length) => at += length as usize,
            None => return found,
        }
        if at >= b.len() {
            return found;
        }
    }
}

/// From the marker SIZ on, behind the first three bytes.
fn jpc(b: &[u8]) -> Option<Image> {
    if b.first() != Some(&0x51) {
        return None;
    }
    let (width, height, count) = (be32(b, 5)?, be32(b, 9)?, be16(b, 37)?);
    if count == 0 || count > 256 {
        return None;
    }
    let mut bits = 0;
    for n in 0..count as usize {
        bits = bits.max(byte(b, 39 + n * 3)? + 1);
    }
    Some(image(Kind::Jpc, width, height, bits, count))
}

fn jp2(b: &[u8]) -> Option<Image> {
    let mut at = 12;
    loop {
        let (length, kind) = (be32(b, at)? as usize, b.get(at + 4..at + 8)?);
        let head = if length == 1 { 16 } else { 8 };
        if kind == b"jp2c" {
            let stream = b.get(at + head + 3..)?;
            return jpc(stream).map(|i| Image { kind: Kind::Jp2, ..i });
        }
        // 0: to the end of the file.
        if length < 8 {
            return None;
        }
        at = at.checked_add(length)?;
    }
}

fn tiff(b: &[u8], big: bool) -> Option<Image> {
    let u16_at = |at| if big { be16(b, at) } else { le16(b, at) };
    let u32_at = |at| if big { be32(b, at) } else { le32(b, at) };
    let start = u32_at(4)? as usize;
    let count = u16_at(start)? as usize;
    let (mut width, mut height) = (0, 0);
    for n in 0..count {
        let entry = start.checked_add(2 + n * 12)?;
        let (tag, kind) = (u16_at(entry)?, u16_at(entry + 2)?);
        let value = match kind {
            1 | 6 => byte(b, entry + 8)?,
            3 => u16_at(entry + 8)?,
            8 => u16_at(entry + 8)? as u16 as i16 as u32,
            4 | 9 => u32_at(entry + 8)?,
            _ => continue,
        };
        match tag {
            0x100 => width = value,
            0x101 => height = value,
            _ => {}
        }
    }
    let kind = if big { Kind::TiffMm } else { Kind::TiffIi };
    (width != 0 && height != 0).then(|| image(kind, width, height, 0, 0))
}

fn iff(b: &[u8]) -> Option<Image> {
    if !matches!(b.get(8..12)?, b"ILBM" | b"PBM ") {
        return None;
    }
    let mut at = 12;
    loop {
        let (name, size) = (b.get(at..at + 4)?, be32(b, at + 4)? as i32);
        if size < 0 {
            return None;
        }
        // Chunks are of even length.
        let size = (size as usize).checked_add(size as usize & 1)?;
        if name == b"BMHD" {
            if size < 9 {
                return None;
            }
            let (width, height, bits) = (be16(b, at + 8)?, be16(b, at + 10)?, byte(b, at + 16)?);
            return (width > 0 && height > 0 && bits > 0 && bits < 33).then(|| image(Kind::Iff, width, height, bits, 0));
        }
        at = at.checked_add(8)?.checked_add(size)?;
    }
}

fn ico(b: &[u8]) -> Option<Image> {
    let count = le16(b, 4)?;
    if !(1..=255).contains(&count) {
        return None;
    }
    let mut best = image(Kind::Ico, 0, 0, 0, 0);
    for n in 0..count as usize {
        let entry = b.get(6 + n * 16..22 + n * 16)?;
        let bits = le16(entry, 6)?;
        if bits >= best.bits {
            best = image(Kind::Ico, byte(entry, 0)?, byte(entry, 1)?, bits, 0);
        }
    }
    let full = |n| if n == 0 { 256 } else { n };
    Some(image(Kind::Ico, full(best.width), full(best.height), best.bits, 0))
}

fn webp(b: &[u8]) -> Option<Image> {
    b.get(..30)?;
    let (width, height) = match b.get(12..16)? {
        b"VP8 " => (le16(b, 26)? & 0x3fff, le16(b, 28)? & 0x3fff),
        b"VP8L" => {
            let n = le32(b, 21)?;
            ((n & 0x3fff) + 1, (n >> 14 & 0x3fff) + 1)
        }
        b"VP8X" => ((le32(b, 24)? & 0xff_ffff) + 1, (le32(b, 26)? >> 8) + 1),
        _ => return None,
    };
    Some(image(Kind::Webp, width, height, 8, 0))
}

/// A number of 7 bits a byte, the high bit says that it goes on.
fn multi_byte(b: &[u8], at: &mut usize) -> Option<u32> {
    let mut value = 0u32;
    loop {
        let next = byte(b, *at)?;
        *at += 1;
        value = value.checked_shl(7)? | next & 0x7f;
        if value > WBMP_MAX {
            return None;
        }
        if next & 0x80 == 0 {
            return Some(value);
        }
    }
}

fn wbmp(b: &[u8]) -> Option<Image> {
    if b.first() != Some(&0) {
        return None;
    }
    let mut at = 1;
    while byte(b, at)? & 0x80 != 0 {
        at += 1;
    }
    at += 1;
    let (width, height) = (multi_byte(b, &mut at)?, multi_byte(b, &mut at)?);
    (width != 0 && height != 0).then(|| image(Kind::Wbmp, width, height, 0, 0))
}

/// C source: `#define name_width 16`.
fn xbm(b: &[u8]) -> Option<Image> {
    let (mut width, mut height) = (0, 0);
    for line in b.split(|c| *c == b'\n') {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty());
        if words.next() != Some(b"#define") {
            continue;
        }
        let (Some(name), Some(number)) = (words.next(), words.next()) else { continue };
        let Some(value) = std::str::from_utf8(number).ok().and_then(|n| n.parse::<u32>().ok()) else { continue };
        match name.rsplit(|c| *c == b'_').next() {
            Some(b"width") => width = value,
            Some(b"height") => height = value,
            _ => continue,
        }
        if width != 0 && height != 0 {
            return Some(image(Kind::Xbm, width, height, 0, 0));
        }
    }
    None
}

fn is_avif(b: &[u8]) -> bool {
    let size = be32(b, 0).unwrap_or(0) as usize;
    let brands = b.get(8..size.min(b.len())).unwrap_or_default();
    // The minor version stands between the main brand and the compatible ones.
    brands.chunks_exact(4).enumerate().any(|(n, brand)| n != 1 && matches!(brand, b"avif" | b"avis"))
}

/// The first image size and pixel description among the properties of the items.
fn avif(b: &[u8]) -> Option<Image> {
    let after = |name: &[u8]| b.windows(4).position(|w| w == name).map(|at| at + 4);
    let size = after(b"ispe")?;
    let (width, height) = (be32(b, size + 4)?, be32(b, size + 8)?);
    let (mut bits, mut channels) = (0, 0);
    if let Some(at) = after(b"pixi") {
        channels = byte(b, at + 4)?;
        bits = byte(b, at + 5)?;
    }
    Some(image(Kind::Avif, width, height, bits, channels))
}
