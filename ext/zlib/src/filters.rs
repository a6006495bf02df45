//! The stream filters `zlib.deflate` and `zlib.inflate`.

use crate::codec::{self, Encoding, WINDOW_MAX};
use flate2::{Compress, Decompress, FlushCompress, FlushDecompress};
use jumbo_abi::desc::Purpose;
use jumbo_abi::stream::{Filter, FilterDesc};
use jumbo_abi::{Cx, PArray, Res, Value, View, Work};
use jumbo_value::PStrBuilder;
use std::any::Any;
use std::cell::Cell;
use std::rc::Rc;

pub const FILTERS: &[FilterDesc] = &[FilterDesc {
    name: "zlib.*",
    make,
}];

/// The parameters of a filter: a level alone, or options.
struct Parameters {
    level: i64,
    /// As zlib has it: negative for raw data, 16 more for gzip, 32 more for what the data say themselves.
    window: i64,
}

fn parameters(cx: &mut Cx, params: &Value) -> Res<Parameters> {
    let mut found = Parameters {
        level: -1,
        window: -i64::from(WINDOW_MAX),
    };
    let options: PArray = match params.view_deref() {
        View::Undef | View::Null => return Ok(found),
        View::Array(a) => a.clone(),
        View::Object(o) => {
            let o = o.clone();
            cx.properties(&o, Purpose::ArrayCast)?
        }
        View::Str(_) | View::Int(_) | View::Float(_) => {
            found.level = level(cx, jumbo_value::convert::to_int(params.deref()))?;
            return Ok(found);
        }
        _ => {
            cx.warning("Invalid filter parameter, ignored")?;
            return Ok(found);
        }
    };
    let option = |name: &[u8]| {
        options
            .get_bytes(name)
            .map(|v| jumbo_value::convert::to_int(v.deref()))
    };
    if let Some(memory) = option(b"memory")
        && !(1..=9).contains(&memory)
    {
        cx.warning(format!(
            "Invalid parameter given for memory level ({memory})"
        ))?;
    }
    if let Some(window) = option(b"window") {
        if (-15..=47).contains(&window) {
            found.window = window;
        } else {
            cx.warning(format!(
                "Invalid parameter given for window size ({window})"
            ))?;
        }
    }
    if let Some(given) = option(b"level") {
        found.level = level(cx, given)?;
    }
    Ok(found)
}

fn level(cx: &mut Cx, level: i64) -> Res<i64> {
    if (-1..=9).contains(&level) {
        return Ok(level);
    }
    cx.warning(format!("Invalid compression level specified. ({level})"))?;
    Ok(-1)
}

fn make(cx: &mut Cx, name: &[u8], params: &Value) -> Res<Option<Rc<dyn Filter>>> {
    match name.to_ascii_lowercase().as_slice() {
        b"zlib.deflate" => {
            let Parameters { level, window } = parameters(cx, params)?;
            let (encoding, bits) = format_of(window);
            let compressor = codec::compressor(level, encoding.unwrap_or(Encoding::Zlib), bits);
            Ok(Some(Rc::new(Deflate {
                compressor: Cell::new(Some(compressor)),
                finished: Cell::new(false),
            })))
        }
        b"zlib.inflate" => {
            let Parameters { window, .. } = parameters(cx, params)?;
            let (encoding, bits) = format_of(window);
            let state = match encoding {
                Some(encoding) => Inflating::Known(codec::decompressor(encoding, bits)),
                None => Inflating::Head(None),
            };
            Ok(Some(Rc::new(Inflate {
                state: Cell::new(Some(state)),
                bits,
                finished: Cell::new(false),
            })))
        }
        _ => Ok(None),
    }
}

/// The format that a window asks for (None: what the data say), and its size.
fn format_of(window: i64) -> (Option<Encoding>, u8) {
    let bits = |n: i64| {
        u8::try_from(n)
            .ok()
            .filter(|n| *n > 0)
            .unwrap_or(WINDOW_MAX)
    };
    match window {
        ..0 => (Some(Encoding::Raw), bits(-window)),
        0..=15 => (Some(Encoding::Zlib), bits(window)),
        16..=31 => (Some(Encoding::Gzip), bits(window - 16)),
        _ => (None, bits(window - 32)),
    }
}

struct Deflate {
    /// None while it works, when PHP code may run.
    compressor: Cell<Option<Compress>>,
    finished: Cell<bool>,
}

impl Filter for Deflate {
    fn filter(
        &self,
        cx: &mut Cx,
        input: &[u8],
        closing: bool,
        output: &mut PStrBuilder,
    ) -> Res<bool> {
        if self.finished.get() {
            return Ok(true);
        }
        let Some(mut compressor) = self.compressor.take() else {
            return Ok(false);
        };
        self.finished.set(closing);
        let flush = if closing {
            FlushCompress::Finish
        } else {
            FlushCompress::None
        };
        let good = codec::compress(&mut compressor, input, flush, output, &mut Work::new(cx));
        self.compressor.set(Some(compressor));
        good
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What inflates, as far as it is known.
enum Inflating {
    /// The first bytes are to tell the format; there is one at most.
    Head(Option<u8>),
    Known(Decompress),
}

struct Inflate {
    /// None while it works, when PHP code may run.
    state: Cell<Option<Inflating>>,
    bits: u8,
    finished: Cell<bool>,
}

impl Filter for Inflate {
    fn filter(
        &self,
        cx: &mut Cx,
        input: &[u8],
        closing: bool,
        output: &mut PStrBuilder,
    ) -> Res<bool> {
        if self.finished.get() {
            // What follows the data is no part of them.
            return Ok(true);
        }
        let Some(state) = self.state.take() else {
            return Ok(false);
        };
        let (mut decompressor, first) = match state {
            Inflating::Known(decompressor) => (decompressor, None),
            Inflating::Head(first) => {
                let mut head = first.into_iter().chain(input.iter().copied());
                let head = (head.next(), head.next());
                let encoding = match head {
                    (Some(a), Some(b)) => codec::detected(&[a, b]),
                    (first, _) if !closing => {
                        self.state.set(Some(Inflating::Head(first)));
                        return Ok(true);
                    }
                    _ => Encoding::Raw,
                };
                (codec::decompressor(encoding, self.bits), first)
            }
        };
        let mut work = Work::new(cx);
        let mut inflate = |data: &[u8]| {
            let sync = FlushDecompress::Sync;
            codec::decompress(&mut decompressor, data, sync, 0, output, &mut work)
        };
        let before = match first {
            Some(first) => inflate(&[first]),
            None => Ok((0, Ok(false))),
        };
        let result = match before {
            Ok((_, Ok(false))) => inflate(input),
            ended => ended,
        };
        self.state.set(Some(Inflating::Known(decompressor)));
        match result?.1 {
            Ok(ended) => {
                self.finished.set(ended);
                Ok(true)
            }
            Err(failure) => {
                cx.notice(format!("zlib: {}", failure.text()))?;
                Ok(false)
            }
        }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
