//! The functions on strings and on files.

use crate::codec::{self, Encoding, Failure, WINDOW_MAX};
pub use crate::context::{
    deflate_add, deflate_init, inflate_add, inflate_get_read_len, inflate_get_status, inflate_init,
};
pub use crate::file::{gzfile, gzopen, readgzfile};
pub use crate::output::{ob_gzhandler, zlib_get_coding_type};
use flate2::{FlushCompress, FlushDecompress};
use jumbo_abi::{Cx, OrFalse, PStr, Res, Work};
pub use jumbo_ext_files::file::{
    fclose as gzclose, feof as gzeof, fgetc as gzgetc, fgets as gzgets, fpassthru as gzpassthru,
    fread as gzread, fseek as gzseek, ftell as gztell, fwrite as gzputs, fwrite as gzwrite,
    rewind as gzrewind,
};
use jumbo_value::PStrBuilder;

/// A level of compression that argument `n` says.
fn check_level(cx: &mut Cx, level: i64, n: u32) -> Res<()> {
    if (-1..=9).contains(&level) {
        Ok(())
    } else {
        Err(cx.arg_value_error(n, "must be between -1 and 9"))
    }
}

/// A format that argument `n` says.
fn encoding(cx: &mut Cx, encoding: i64, n: u32) -> Res<Encoding> {
    match Encoding::numbered(encoding) {
        Some(encoding) => Ok(encoding),
        None => Err(cx.arg_value_error(
            n,
            "must be one of ZLIB_ENCODING_RAW, ZLIB_ENCODING_GZIP, or ZLIB_ENCODING_DEFLATE",
        )),
    }
}

fn encode(cx: &mut Cx, data: &PStr, level: i64, encoding: Encoding) -> Res<OrFalse<PStr>> {
    let mut compressor = codec::compressor(level, encoding, WINDOW_MAX);
    let mut out = PStrBuilder::new();
    let good = codec::compress(
        &mut compressor,
        data.as_bytes(),
        FlushCompress::Finish,
        &mut out,
        &mut Work::new(cx),
    )?;
    Ok(OrFalse(good.then(|| out.finish())))
}

pub fn gzcompress(cx: &mut Cx, data: &PStr, level: i64, format: i64) -> Res<OrFalse<PStr>> {
    check_level(cx, level, 2)?;
    let encoding = encoding(cx, format, 3)?;
    encode(cx, data, level, encoding)
}

pub fn gzdeflate(cx: &mut Cx, data: &PStr, level: i64, format: i64) -> Res<OrFalse<PStr>> {
    gzcompress(cx, data, level, format)
}

pub fn gzencode(cx: &mut Cx, data: &PStr, level: i64, format: i64) -> Res<OrFalse<PStr>> {
    gzcompress(cx, data, level, format)
}

pub fn zlib_encode(cx: &mut Cx, data: &PStr, format: i64, level: i64) -> Res<OrFalse<PStr>> {
    check_level(cx, level, 3)?;
    let encoding = encoding(cx, format, 2)?;
    encode(cx, data, level, encoding)
}

/// Decompresses all of the data. `limit` 0: none.
fn decoded(cx: &mut Cx, data: &[u8], encoding: Encoding, limit: usize) -> Res<Result<PStr, Failure>> {
    let mut decompressor = codec::decompressor(encoding, WINDOW_MAX);
    let mut out = PStrBuilder::with_capacity(data.len())?;
    let (_, result) = codec::decompress(
        &mut decompressor,
        data,
        FlushDecompress::None,
        limit,
        &mut out,
        &mut Work::new(cx),
    )?;
    Ok(match result {
        Ok(true) => Ok(out.finish()),
        // The data end too early.
        Ok(false) => Err(Failure::Data),
        Err(failure) => Err(failure),
    })
}

fn decode(
    cx: &mut Cx,
    data: &PStr,
    encoding: Option<Encoding>,
    max_length: i64,
) -> Res<OrFalse<PStr>> {
    let Ok(limit) = usize::try_from(max_length) else {
        return Err(cx.arg_value_error(2, "must be greater than or equal to 0"));
    };
    let bytes = data.as_bytes();
    let result = match encoding {
        Some(encoding) => decoded(cx, bytes, encoding, limit)?,
        None => match decoded(cx, bytes, codec::detected(bytes), limit)? {
            // What only looks like a header may be data.
            Err(Failure::Data) => decoded(cx, bytes, Encoding::Raw, limit)?,
            result => result,
        },
    };
    match result {
        Ok(text) => Ok(OrFalse(Some(text))),
        Err(failure) => {
            let failure = if matches!(failure, Failure::Dictionary(_)) {
                Failure::Data
            } else {
                failure
            };
            cx.warning(failure.text())?;
            Ok(OrFalse(None))
        }
    }
}

pub fn gzinflate(cx: &mut Cx, data: &PStr, max_length: i64) -> Res<OrFalse<PStr>> {
    decode(cx, data, Some(Encoding::Raw), max_length)
}

pub fn gzuncompress(cx: &mut Cx, data: &PStr, max_length: i64) -> Res<OrFalse<PStr>> {
    decode(cx, data, Some(Encoding::Zlib), max_length)
}

pub fn gzdecode(cx: &mut Cx, data: &PStr, max_length: i64) -> Res<OrFalse<PStr>> {
    decode(cx, data, Some(Encoding::Gzip), max_length)
}

pub fn zlib_decode(cx: &mut Cx, data: &PStr, max_length: i64) -> Res<OrFalse<PStr>> {
    decode(cx, data, None, max_length)
}
