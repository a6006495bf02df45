//! Compressed output: ob_gzhandler, and `zlib.output_compression`, which is the same for all of the output.

use crate::codec::{self, Encoding, WINDOW_MAX};
use flate2::{Compress, FlushCompress};
use jumbo_abi::output::{Handler, ob};
use jumbo_abi::{Cx, OrFalse, PStr, Res, Value, Work};
use jumbo_value::PStrBuilder;

/// The compression of this request's output.
#[derive(Default)]
struct Output {
    compressor: Option<Compress>,
    /// The buffer of `zlib.output_compression` is there.
    active: bool,
    /// The setting has been taken back since.
    off: bool,
}

/// What the client accepts, as it is called in the response.
fn accepted(cx: &mut Cx) -> Option<(Encoding, &'static str)> {
    let server = cx.engine().global(cx, b"_SERVER")?;
    let accepted = server
        .deref()
        .as_array()?
        .get_bytes(b"HTTP_ACCEPT_ENCODING")
        .map(Value::copy_deref)?;
    let accepted = accepted.as_bytes()?;
    let has = |name: &[u8]| accepted.windows(name.len()).any(|w| w == name);
    if has(b"gzip") {
        Some((Encoding::Gzip, "gzip"))
    } else if has(b"deflate") {
        Some((Encoding::Zlib, "deflate"))
    } else {
        None
    }
}

pub fn zlib_get_coding_type(cx: &mut Cx) -> OrFalse<PStr> {
    let state = cx.state::<Output>();
    let on = state.compressor.is_some() || state.active && !state.off;
    OrFalse(if on {
        accepted(cx).map(|(_, name)| PStr::from(name))
    } else {
        None
    })
}

/// Compresses a part of the output. None: it goes out as it is.
fn compressed(cx: &mut Cx, data: &[u8], flags: i64) -> Res<Option<PStr>> {
    if flags & ob::START != 0 {
        if flags & (ob::CLEAN | ob::FINAL) == ob::CLEAN | ob::FINAL {
            // Thrown away as a whole: nobody sees it.
            return Ok(None);
        }
        let Some((encoding, name)) = accepted(cx) else { return Ok(None) };
        if cx.output.head.sent {
            return Ok(None);
        }
        let level = cx.ini.int("zlib.output_compression_level");
        cx.state::<Output>().compressor = Some(codec::compressor(level, encoding, WINDOW_MAX));
        let head = &mut cx.output.head.headers;
        head.push(format!("Content-Encoding: {name}").into_bytes());
        head.push(b"Vary: Accept-Encoding".to_vec());
    }
    // It is not there while it works, when PHP code may run.
    let Some(mut compressor) = cx.state::<Output>().compressor.take() else { return Ok(None) };
    let mut out = PStrBuilder::new();
    if flags & ob::CLEAN != 0 {
        compressor.reset();
        if flags & ob::FINAL == 0 {
            cx.state::<Output>().compressor = Some(compressor);
            return Ok(Some(PStr::empty()));
        }
    }
    let flush = match flags {
        f if f & ob::FINAL != 0 => FlushCompress::Finish,
        f if f & ob::FLUSH != 0 => FlushCompress::Sync,
        _ => FlushCompress::None,
    };
    let done = codec::compress(&mut compressor, data, flush, &mut out, &mut Work::new(cx));
    if flags & ob::FINAL == 0 {
        cx.state::<Output>().compressor = Some(compressor);
    }
    done?;
    Ok(Some(out.finish()))
}

pub fn ob_gzhandler(cx: &mut Cx, data: &PStr, flags: i64) -> Res<OrFalse<PStr>> {
    Ok(OrFalse(compressed(cx, data.as_bytes(), flags)?))
}

/// On, and not "0" or "off"; a number is a size of the buffer.
fn is_on(value: &[u8]) -> bool {
    jumbo_abi::ini::parse_bool(value) || jumbo_abi::ini::parse_quantity(value) > 0
}

/// Compresses all output from now on, if the client takes that.
fn start(cx: &mut Cx) -> Res<()> {
    cx.state::<Output>().off = false;
    if cx.state::<Output>().active || accepted(cx).is_none() {
        return Ok(());
    }
    cx.state::<Output>().active = true;
    let handler = Handler::Native("zlib output compression", |cx, data, flags| {
        let starts = cx.state::<Output>().compressor.is_none();
        if starts && (cx.state::<Output>().off || is_final_already(cx)) {
            return Ok(None);
        }
        compressed(cx, data, flags)
    });
    cx.start_buffer(Some(handler), 0, ob::STDFLAGS)
}

pub fn request_start(cx: &mut Cx) -> Res<()> {
    let value = cx.ini.str("zlib.output_compression").to_vec();
    if is_on(&value) { start(cx) } else { Ok(()) }
}

/// The script has said how long the response is, or sends a picture, which is compressed.
fn is_final_already(cx: &Cx) -> bool {
    let head = &cx.output.head;
    head.has(b"content-length")
        || head.headers.iter().any(|line| {
            let lower = line.to_ascii_lowercase();
            lower.strip_prefix(b"content-type:").is_some_and(|kind| kind.trim_ascii_start().starts_with(b"image/"))
        })
}

/// `ini_set("zlib.output_compression", …)`
pub fn compression_changed(cx: &mut Cx, value: &[u8]) -> bool {
    if cx.output.head.sent {
        // The failure of the warning is that of a handler, whose exception is pending.
        let _ = cx.warning("Cannot change zlib.output_compression - headers already sent");
        return false;
    }
    if is_on(value) {
        return start(cx).is_ok();
    }
    cx.state::<Output>().off = true;
    true
}
