//! Compression and decompression step by step: deflate_init, inflate_init and what belongs to them.

use crate::codec::{self, Encoding, Failure, WINDOW_MAX};
use flate2::{Compress, Decompress, FlushCompress, FlushDecompress};
use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassHooks, Cx, OrFalse, PArray, PObject, PStr, Res, Value, View, Work};
use jumbo_value::{Native, PStrBuilder};
use std::cell::Cell;

pub static DEFLATE_HOOKS: ClassHooks = ClassHooks {
    not_instantiable: Some("Cannot directly construct DeflateContext, use deflate_init() instead"),
    uncloneable: true,
    ..ClassHooks::NONE
};

pub static INFLATE_HOOKS: ClassHooks = ClassHooks {
    not_instantiable: Some("Cannot directly construct InflateContext, use inflate_init() instead"),
    uncloneable: true,
    ..ClassHooks::NONE
};

const NO_FLUSH: i64 = 0;
const PARTIAL_FLUSH: i64 = 1;
const SYNC_FLUSH: i64 = 2;
const FULL_FLUSH: i64 = 3;
const FINISH: i64 = 4;
const BLOCK: i64 = 5;

/// The state of inflating, as `inflate_get_status` says it.
const OK: i64 = 0;
const STREAM_END: i64 = 1;
const DATA_ERROR: i64 = -3;

struct Deflate {
    /// None while it works, when PHP code may run.
    compressor: Cell<Option<Compress>>,
    dictionary: Option<PStr>,
}

impl Native for Deflate {}

struct Inflate {
    /// None while it works, when PHP code may run.
    decompressor: Cell<Option<Decompress>>,
    encoding: Encoding,
    window: u8,
    dictionary: Option<PStr>,
    status: Cell<i64>,
    read: Cell<u64>,
}

impl Native for Inflate {}

/// The options, which may be an object.
fn options(cx: &mut Cx, options: &Value) -> Res<PArray> {
    Ok(match options.view_deref() {
        View::Array(a) => a.clone(),
        View::Object(o) => {
            let o = o.clone();
            cx.properties(&o, Purpose::ArrayCast)?
        }
        _ => PArray::new(),
    })
}

/// A number among the options, which must be in a range.
fn number(
    cx: &mut Cx,
    options: &PArray,
    name: &str,
    default: i64,
    range: std::ops::RangeInclusive<i64>,
) -> Res<i64> {
    let Some(value) = options.get_bytes(name.as_bytes()) else {
        return Ok(default);
    };
    let value = jumbo_value::convert::to_int(value.deref());
    if range.contains(&value) {
        return Ok(value);
    }
    let text = format!(
        "(): \"{name}\" option must be between {} and {}",
        range.start(),
        range.end()
    );
    let text = [cx.active_function_name().as_slice(), text.as_bytes()].concat();
    Err(cx.value_error(text))
}

/// The dictionary among the options: a text, or a list of words that each end with a NUL.
fn dictionary(cx: &mut Cx, options: &PArray) -> Res<Option<PStr>> {
    let Some(value) = options.get_bytes(b"dictionary").map(Value::copy_deref) else {
        return Ok(None);
    };
    match value.view() {
        View::Str(s) => Ok(Some(s.clone())),
        View::Array(words) => {
            let mut text = PStrBuilder::new();
            for word in words.clone().values() {
                let word = cx.to_string(word.deref())?;
                if word.is_empty() {
                    return Err(cx.arg_value_error(2, "must not contain empty strings"));
                }
                if word.as_bytes().contains(&0) {
                    return Err(cx.arg_value_error(2, "must not contain strings with null bytes"));
                }
                text.extend(word.as_bytes())?;
                text.push(0)?;
            }
            Ok(Some(text.finish()).filter(|t| !t.is_empty()))
        }
        _ => {
            let kind = jumbo_abi::args::type_name(&value);
            let text = [
                cx.active_function_name().as_slice(),
                b"(): Argument #2 ($options) the option \"dictionary\" must be of type zero-terminated string or array, ",
                &kind,
                b" given",
            ]
            .concat();
            Err(cx.type_error(text))
        }
    }
}

pub fn deflate_init(cx: &mut Cx, encoding: i64, given: &Value) -> Res<OrFalse<PObject>> {
    let options = options(cx, given)?;
    let level = number(cx, &options, "level", -1, -1..=9)?;
    number(cx, &options, "memory", 8, 1..=9)?;
    let window = number(cx, &options, "window", i64::from(WINDOW_MAX), 8..=15)?;
    if let Some(strategy) = options.get_bytes(b"strategy")
        && !(0..=4).contains(&jumbo_value::convert::to_int(strategy.deref()))
    {
        let text = "\"strategy\" option must be one of ZLIB_FILTERED, ZLIB_HUFFMAN_ONLY, ZLIB_RLE, ZLIB_FIXED, or ZLIB_DEFAULT_STRATEGY";
        let text = [
            cx.active_function_name().as_slice(),
            b"(): ",
            text.as_bytes(),
        ]
        .concat();
        return Err(cx.value_error(text));
    }
    let dictionary = dictionary(cx, &options)?;
    let Some(encoding) = Encoding::numbered(encoding) else {
        return Err(cx.arg_value_error(
            1,
            "must be one of ZLIB_ENCODING_RAW, ZLIB_ENCODING_GZIP, or ZLIB_ENCODING_DEFLATE",
        ));
    };
    let mut compressor = codec::compressor(level, encoding, window as u8);
    if let Some(dictionary) = &dictionary
        && compressor.set_dictionary(dictionary).is_err()
    {
        cx.warning("Dictionary could not be set")?;
        return Ok(OrFalse(None));
    }
    let class = cx.builtin_class(b"deflatecontext");
    let object = cx.new_object(class)?;
    // A new object has no state yet.
    let _ = object.set_native(Box::new(Deflate {
        compressor: Cell::new(Some(compressor)),
        dictionary,
    }));
    Ok(OrFalse(Some(object)))
}

/// The flush modes, which both directions check.
fn check_flush(cx: &mut Cx, mode: i64) -> Res<()> {
    if (NO_FLUSH..=BLOCK).contains(&mode) {
        return Ok(());
    }
    Err(cx.arg_value_error(
        3,
        "must be one of ZLIB_NO_FLUSH, ZLIB_PARTIAL_FLUSH, ZLIB_SYNC_FLUSH, ZLIB_FULL_FLUSH, ZLIB_BLOCK, or ZLIB_FINISH",
    ))
}

pub fn deflate_add(
    cx: &mut Cx,
    context: &PObject,
    data: &PStr,
    flush_mode: i64,
) -> Res<OrFalse<PStr>> {
    check_flush(cx, flush_mode)?;
    let Some(state) = context.native::<Deflate>() else {
        return Err(cx.throw_error("Invalid deflate context"));
    };
    if data.is_empty() && flush_mode != FINISH {
        return Ok(OrFalse(Some(PStr::empty())));
    }
    let flush = match flush_mode {
        PARTIAL_FLUSH => FlushCompress::Partial,
        SYNC_FLUSH => FlushCompress::Sync,
        FULL_FLUSH => FlushCompress::Full,
        FINISH => FlushCompress::Finish,
        // The end of a block comes when the compressor makes one.
        _ => FlushCompress::None,
    };
    let Some(mut compressor) = state.compressor.take() else {
        return Err(cx.throw_error("Deflate context is in use"));
    };
    let mut out = PStrBuilder::new();
    let good = codec::compress(
        &mut compressor,
        data.as_bytes(),
        flush,
        &mut out,
        &mut Work::new(cx),
    );
    if flush_mode == FINISH {
        compressor.reset();
        if let Some(dictionary) = &state.dictionary {
            // It was good enough before.
            let _ = compressor.set_dictionary(dictionary);
        }
    }
    state.compressor.set(Some(compressor));
    let good = good?;
    if !good {
        cx.warning("zlib error (stream error)")?;
    }
    Ok(OrFalse(good.then(|| out.finish())))
}

pub fn inflate_init(cx: &mut Cx, encoding: i64, given: &Value) -> Res<OrFalse<PObject>> {
    let options = options(cx, given)?;
    let window = number(cx, &options, "window", i64::from(WINDOW_MAX), 8..=15)?;
    let dictionary = dictionary(cx, &options)?;
    let Some(encoding) = Encoding::numbered(encoding) else {
        return Err(cx.value_error(
            "Encoding mode must be ZLIB_ENCODING_RAW, ZLIB_ENCODING_GZIP or ZLIB_ENCODING_DEFLATE",
        ));
    };
    let state = Inflate {
        decompressor: Cell::new(None),
        encoding,
        window: window as u8,
        dictionary,
        status: Cell::new(OK),
        read: Cell::new(0),
    };
    if !state.begin() {
        cx.warning("Dictionary could not be set")?;
        return Ok(OrFalse(None));
    }
    let class = cx.builtin_class(b"inflatecontext");
    let object = cx.new_object(class)?;
    // A new object has no state yet.
    let _ = object.set_native(Box::new(state));
    Ok(OrFalse(Some(object)))
}

impl Inflate {
    /// Starts anew. Raw data know of no dictionary: it is set beforehand. False: it cannot be.
    fn begin(&self) -> bool {
        let mut decompressor = codec::decompressor(self.encoding, self.window);
        let good = match &self.dictionary {
            Some(dictionary) if self.encoding == Encoding::Raw => {
                decompressor.set_dictionary(dictionary).is_ok()
            }
            _ => true,
        };
        self.decompressor.set(Some(decompressor));
        self.status.set(OK);
        self.read.set(0);
        good
    }

    /// A step is done.
    fn keep(&self, decompressor: Decompress) {
        self.read.set(decompressor.total_in());
        self.decompressor.set(Some(decompressor));
    }
}

pub fn inflate_add(
    cx: &mut Cx,
    context: &PObject,
    data: &PStr,
    flush_mode: i64,
) -> Res<OrFalse<PStr>> {
    check_flush(cx, flush_mode)?;
    let Some(state) = context.native::<Inflate>() else {
        return Err(cx.throw_error("Invalid inflate context"));
    };
    if state.status.get() == STREAM_END {
        state.begin();
    }
    if data.is_empty() && flush_mode != FINISH {
        return Ok(OrFalse(Some(PStr::empty())));
    }
    let mut out = PStrBuilder::with_capacity(data.len())?;
    let mut rest = data.as_bytes();
    let Some(mut decompressor) = state.decompressor.take() else {
        return Err(cx.throw_error("Inflate context is in use"));
    };
    let mut work = Work::new(cx);
    let mut tried = false;
    let result = loop {
        let step = codec::decompress(
            &mut decompressor,
            rest,
            FlushDecompress::Sync,
            0,
            &mut out,
            &mut work,
        );
        let (used, result) = match step {
            Ok(done) => done,
            Err(stop) => {
                state.keep(decompressor);
                return Err(stop);
            }
        };
        rest = &rest[used..];
        match (result, &state.dictionary) {
            (Err(Failure::Dictionary(_)), Some(dictionary)) if !tried => {
                tried = true;
                if decompressor.set_dictionary(dictionary).is_err() {
                    break Err(
                        "Dictionary does not match expected dictionary (incorrect adler32 hash)",
                    );
                }
            }
            (Err(Failure::Dictionary(_)), _) => {
                break Err(
                    "Inflating this data requires a preset dictionary, please specify it in the options array of inflate_init()",
                );
            }
            (Err(failure), _) => break Err(failure.text()),
            (Ok(ended), _) => break Ok(ended),
        }
    };
    state.keep(decompressor);
    match result {
        Ok(ended) => {
            state.status.set(if ended { STREAM_END } else { OK });
            Ok(OrFalse(Some(out.finish())))
        }
        Err(text) => {
            state.status.set(DATA_ERROR);
            cx.warning(text)?;
            Ok(OrFalse(None))
        }
    }
}

pub fn inflate_get_status(cx: &mut Cx, context: &PObject) -> Res<i64> {
    match context.native::<Inflate>() {
        Some(state) => Ok(state.status.get()),
        None => Err(cx.throw_error("Invalid inflate context")),
    }
}

pub fn inflate_get_read_len(cx: &mut Cx, context: &PObject) -> Res<i64> {
    match context.native::<Inflate>() {
        Some(state) => {
            Ok(i64::try_from(state.read.get()).unwrap_or(i64::MAX))
        }
        None => Err(cx.throw_error("Invalid inflate context")),
    }
}
