//! Compressing and decompressing, piece by piece.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use jumbo_abi::{Res, Work};
use jumbo_value::PStrBuilder;

/// The largest window, which all formats use unless told otherwise.
pub const WINDOW_MAX: u8 = 15;
/// Bytes that one step gives at most.
const STEP: usize = 32 << 10;

/// The formats, with the numbers of `ZLIB_ENCODING_…`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Raw,
    Gzip,
    Zlib,
}

impl Encoding {
    pub fn numbered(n: i64) -> Option<Encoding> {
        Some(match n {
            -15 => Encoding::Raw,
            31 => Encoding::Gzip,
            15 => Encoding::Zlib,
            _ => return None,
        })
    }
}

/// Why data cannot be decompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    Data,
    /// The result would be longer than allowed.
    TooLong,
    /// A dictionary with this checksum is needed.
    Dictionary(u32),
}

impl Failure {
    /// In zlib's words.
    pub fn text(self) -> &'static str {
        match self {
            Failure::Data => "data error",
            Failure::TooLong => "insufficient memory",
            Failure::Dictionary(_) => "need dictionary",
        }
    }
}

/// A compressor; a level of -1 is the usual one.
pub fn compressor(level: i64, encoding: Encoding, window: u8) -> Compress {
    let level = u32::try_from(level).map_or_else(
        |_| Compression::default(),
        |level| Compression::new(level.min(9)),
    );
    // Windows of 8 bits are not supported by the format.
    let window = window.clamp(9, WINDOW_MAX);
    match encoding {
        Encoding::Raw => Compress::new_with_window_bits(level, false, window),
        Encoding::Zlib => Compress::new_with_window_bits(level, true, window),
        Encoding::Gzip => Compress::new_gzip(level, window),
    }
}

pub fn decompressor(encoding: Encoding, window: u8) -> Decompress {
    let window = window.clamp(9, WINDOW_MAX);
    match encoding {
        Encoding::Raw => Decompress::new_with_window_bits(false, window),
        Encoding::Zlib => Decompress::new_with_window_bits(true, window),
        Encoding::Gzip => Decompress::new_gzip(window),
    }
}

/// Bytes of input that one step takes at most.
const PIECE: usize = 4 << 10;
/// Units of work that compressing a byte may be: how many places the compressor looks at depends on the data.
const UNITS_PER_BYTE: usize = 16;

/// Passes `input` on and gives what comes out. False: the compressor is in disorder.
pub fn compress(
    compressor: &mut Compress,
    mut input: &[u8],
    flush: FlushCompress,
    out: &mut PStrBuilder,
    work: &mut Work,
) -> Res<bool> {
    loop {
        // What follows another piece is not flushed before it.
        let (piece, flush) = match input.split_at_checked(PIECE) {
            Some((piece, rest)) if !rest.is_empty() => (piece, FlushCompress::None),
            _ => (input, flush),
        };
        let room = (piece.len() + piece.len() / 8 + 64).min(STEP);
        let had = out.len();
        out.fill(0, room)?;
        let (taken, given) = (compressor.total_in(), compressor.total_out());
        let status = compressor.compress(piece, &mut out.as_mut_bytes()[had..], flush);
        let taken = (compressor.total_in() - taken) as usize;
        let given = (compressor.total_out() - given) as usize;
        out.truncate(had + given.min(room));
        let Ok(status) = status else { return Ok(false) };
        input = input.get(taken..).unwrap_or_default();
        match status {
            Status::StreamEnd => return Ok(true),
            Status::Ok if given == room || !input.is_empty() => {}
            Status::Ok if flush == FlushCompress::Finish && (taken > 0 || given > 0) => {}
            _ => return Ok(true),
        }
        work.spend(taken * UNITS_PER_BYTE + given)?;
    }
}

/// Decompresses until the input is used up, the data end, or `out` were longer than `limit` (0: none). Gives how much was used, and
/// whether the data ended.
pub fn decompress(
    decompressor: &mut Decompress,
    input: &[u8],
    flush: FlushDecompress,
    limit: usize,
    out: &mut PStrBuilder,
    work: &mut Work,
) -> Res<(usize, Result<bool, Failure>)> {
    let mut at = 0;
    loop {
        let piece = &input[at..];
        let piece = &piece[..piece.len().min(STEP)];
        let had = out.len();
        out.fill(0, piece.len().saturating_mul(4).clamp(64, STEP))?;
        let room = out.len() - had;
        let (taken, given) = (decompressor.total_in(), decompressor.total_out());
        let status = decompressor.decompress(piece, &mut out.as_mut_bytes()[had..], flush);
        let taken = (decompressor.total_in() - taken) as usize;
        let given = (decompressor.total_out() - given) as usize;
        at = (at + taken).min(input.len());
        out.truncate(had + given.min(room));
        if limit > 0 && out.len() > limit {
            return Ok((at, Err(Failure::TooLong)));
        }
        match status {
            Err(error) => {
                return Ok((
                    at,
                    Err(error
                        .needs_dictionary()
                        .map_or(Failure::Data, Failure::Dictionary)),
                ));
            }
            Ok(Status::StreamEnd) => return Ok((at, Ok(true))),
            Ok(_) if given == room || (at < input.len() && (taken > 0 || given > 0)) => {}
            Ok(_) => return Ok((at, Ok(false))),
        }
        work.spend(taken + given)?;
    }
}

/// The format that data are in: by their first bytes.
pub fn detected(data: &[u8]) -> Encoding {
    match data {
        [0x1f, 0x8b, ..] => Encoding::Gzip,
        [a, b, ..] if a & 0x0f == 8 && (u16::from(*a) << 8 | u16::from(*b)) % 31 == 0 => {
            Encoding::Zlib
        }
        _ => Encoding::Raw,
    }
}
