//! The hash functions.

use crate::algorithms::{ALGORITHMS, Algorithm, Options};
use crate::hash_context::{Running, State};
use crate::keyed;
use jumbo_abi::work;
use jumbo_abi::stream::{self, OpenOptions, StreamHandle};
use jumbo_abi::{Cx, OrFalse, PArray, PObject, PResource, PStr, Res, Value, Work};

/// How much of a file is read at once.
const READ_BYTES: usize = 65_536;

const DIGITS: &[u8; 16] = b"0123456789abcdef";

fn hex(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]).collect()
}

fn digest_text(digest: &[u8], binary: bool) -> PStr {
    if binary { PStr::new(digest) } else { PStr::new(&hex(digest)) }
}

fn algorithm(cx: &mut Cx, name: &PStr) -> Res<&'static Algorithm> {
    Algorithm::find(name).ok_or_else(|| cx.arg_value_error(1, "must be a valid hashing algorithm"))
}

/// An algorithm that HMAC and what is built on it take.
fn cryptographic(cx: &mut Cx, name: &PStr) -> Res<&'static Algorithm> {
    Algorithm::find(name)
        .filter(|a| a.block_bytes.is_some())
        .ok_or_else(|| cx.arg_value_error(1, "must be a valid cryptographic hashing algorithm"))
}

/// What xxh3 and xxh128 take of a secret.
const SECRET_BYTES_MAX: usize = 256;

/// A context with the options that the algorithm takes.
fn start(cx: &mut Cx, algorithm: &'static Algorithm, options: &PArray) -> Res<crate::Context> {
    let takes_seed = algorithm.name.starts_with("murmur") || algorithm.name.starts_with("xxh");
    let takes_secret = matches!(algorithm.name, "xxh3" | "xxh128");
    let mut seed = None;
    if takes_seed && let Some(value) = options.get_bytes(b"seed").map(Value::copy_deref) {
        // Both together are an Error, of which nothing distracts.
        let both = takes_secret && options.get_bytes(b"secret").is_some();
        if value.as_int().is_none() && !both {
            let why = if takes_secret { "it is ignored" } else { "it is the same as setting the seed to 0" };
            cx.deprecated(format_args!("Passing a seed of a type other than int is deprecated because {why}"))?;
        }
        seed = Some(value.as_int().unwrap_or(0));
    }
    let mut secret = None;
    if takes_secret && let Some(value) = options.get_bytes(b"secret").map(Value::copy_deref) {
        if value.as_str().is_none() && seed.is_none() {
            cx.deprecated(
                "Passing a secret of a type other than string is deprecated because it implicitly converts to a string, potentially hiding bugs",
            )?;
        }
        let given = cx.to_string(&value)?;
        if seed.is_none() && given.len() > SECRET_BYTES_MAX {
            cx.warning(format_args!("{}: Secret content exceeding {SECRET_BYTES_MAX} bytes discarded", algorithm.name))?;
        }
        secret = Some(given.slice(0, SECRET_BYTES_MAX));
    }
    let options = Options { seed, secret: secret.as_ref().map(PStr::as_bytes) };
    algorithm.start(&options).map_err(|error| cx.throw_error(error.message()))
}

pub fn hash(cx: &mut Cx, algo: &PStr, data: &PStr, binary: bool, options: &PArray) -> Res<PStr> {
    let algorithm = algorithm(cx, algo)?;
    if options.is_empty() && data.len() < work::UNITS {
        return Ok(digest_text(&algorithm.hash(data), binary));
    }
    let mut context = start(cx, algorithm, options)?;
    Work::new(cx).pieces(data, |piece| context.update(piece))?;
    Ok(digest_text(&context.finish(), binary))
}

pub fn hash_algos(_cx: &mut Cx) -> PArray {
    PArray::from_values(ALGORITHMS.iter().map(|a| Value::from(a.name)))
}

pub fn hash_hmac_algos(_cx: &mut Cx) -> PArray {
    PArray::from_values(ALGORITHMS.iter().filter(|a| a.block_bytes.is_some()).map(|a| Value::from(a.name)))
}

pub fn hash_hmac(cx: &mut Cx, algo: &PStr, data: &PStr, key: &PStr, binary: bool) -> Res<PStr> {
    let algorithm = cryptographic(cx, algo)?;
    let digest = keyed::long_hmac(algorithm, data, key, &mut Work::new(cx)).transpose()?;
    Ok(digest_text(&digest.unwrap_or_default(), binary))
}

/// Nothing is converted: a comparison with something that is no string is a mistake.
pub fn hash_equals(cx: &mut Cx, known_string: &Value, user_string: &Value) -> Res<bool> {
    let mut string = |n: u32, value: &Value| match value.deref().as_str() {
        Some(s) => Ok(s.clone()),
        None => {
            let given = jumbo_abi::args::type_name(value.deref());
            let message = [b"must be of type string, ".as_slice(), &given, b" given"];
            Err(cx.arg_type_error(n, message))
        }
    };
    let (known, user) = (string(1, known_string)?, string(2, user_string)?);
    Ok(keyed::equals(&known, &user))
}

/// Feeds what is left of a stream, at most `limit` bytes; how many there were.
fn feed(cx: &mut Cx, handle: &StreamHandle, limit: Option<usize>, mut each: impl FnMut(&mut Cx, &[u8]) -> Res<()>) -> Res<usize> {
    let mut total = 0;
    loop {
        let want = limit.map_or(READ_BYTES, |limit| (limit - total).min(READ_BYTES));
        if want == 0 {
            return Ok(total);
        }
        match handle.read(cx, want)? {
            Some(bytes) if !bytes.is_empty() => {
                total += bytes.len();
                each(cx, &bytes)?;
                cx.check()?;
            }
            _ => return Ok(total),
        }
    }
}

/// Feeds a file, whose name is argument `n`; false when it could not be opened, which is reported.
fn feed_file(
    cx: &mut Cx,
    n: u32,
    filename: &PStr,
    context: Option<PResource>,
    each: impl FnMut(&mut Cx, &[u8]) -> Res<()>,
) -> Res<bool> {
    if filename.contains(&0) {
        return Err(cx.arg_value_error(n, "must not contain any null bytes"));
    }
    let options = OpenOptions { quiet: false, use_include_path: false, context, for_include: false };
    let Some(resource) = stream::open(cx, filename, b"rb", &options)? else { return Ok(false) };
    if let Some(handle) = resource.native::<StreamHandle>() {
        feed(cx, &handle, None, each)?;
        handle.close(cx)?;
    }
    resource.close();
    Ok(true)
}

pub fn hash_file(cx: &mut Cx, algo: &PStr, filename: &PStr, binary: bool, options: &PArray) -> Res<OrFalse<PStr>> {
    let algorithm = algorithm(cx, algo)?;
    let mut context = start(cx, algorithm, options)?;
    // As stock PHP counts.
    let read = feed_file(cx, 1, filename, None, |_, bytes| {
        context.update(bytes);
        Ok(())
    })?;
    Ok(OrFalse(read.then(|| digest_text(&context.finish(), binary))))
}

pub fn hash_hmac_file(cx: &mut Cx, algo: &PStr, filename: &PStr, key: &PStr, binary: bool) -> Res<OrFalse<PStr>> {
    let algorithm = cryptographic(cx, algo)?;
    let Some(mut hmac) = crate::Hmac::new(algorithm, key) else { return Ok(OrFalse::FALSE) };
    let read = feed_file(cx, 2, filename, None, |_, bytes| {
        hmac.update(bytes);
        Ok(())
    })?;
    Ok(OrFalse(read.then(|| digest_text(&hmac.finish(), binary))))
}

pub fn hash_update_file(cx: &mut Cx, context: &PObject, filename: &PStr, stream_context: Option<&Value>) -> Res<bool> {
    crate::hash_context::update(cx, context, b"")?;
    let options = stream::context_argument(cx, stream_context, 3)?;
    feed_file(cx, 2, filename, options, |cx, bytes| crate::hash_context::update(cx, context, bytes))
}

pub fn hash_update_stream(cx: &mut Cx, context: &PObject, stream: &Value, length: i64) -> Res<i64> {
    crate::hash_context::update(cx, context, b"")?;
    let handle = stream::stream_argument(cx, stream, 2)?;
    let limit = usize::try_from(length).ok();
    let total = feed(cx, &handle, limit, |cx, bytes| crate::hash_context::update(cx, context, bytes))?;
    Ok(total as i64)
}

pub fn hash_hkdf(cx: &mut Cx, algo: &PStr, key: &PStr, length: i64, info: &PStr, salt: &PStr) -> Res<PStr> {
    let algorithm = cryptographic(cx, algo)?;
    if key.is_empty() {
        return Err(cx.arg_value_error(2, "must not be empty"));
    }
    let Ok(length) = usize::try_from(length) else {
        return Err(cx.arg_value_error(3, "must be greater than or equal to 0"));
    };
    let most = algorithm.digest_bytes * 255;
    match keyed::hkdf(algorithm, key, length.min(most), info, salt) {
        Some(bytes) if length <= most => Ok(PStr::new(&bytes)),
        _ => Err(cx.arg_value_error(3, format_args!("must be less than or equal to {most}"))),
    }
}

#[allow(clippy::too_many_arguments)]
pub fn hash_pbkdf2(
    cx: &mut Cx,
    algo: &PStr,
    password: &PStr,
    salt: &PStr,
    iterations: i64,
    length: i64,
    binary: bool,
    _options: &PArray,
) -> Res<PStr> {
    let algorithm = cryptographic(cx, algo)?;
    let Some(iterations) = u64::try_from(iterations).ok().filter(|&n| n > 0) else {
        return Err(cx.arg_value_error(4, "must be greater than 0"));
    };
    let Ok(length) = usize::try_from(length) else {
        return Err(cx.arg_value_error(5, "must be greater than or equal to 0"));
    };
    // The length counts what is returned: digits when that is hexadecimal.
    let bytes = match (length, binary) {
        (0, _) => algorithm.digest_bytes,
        (_, true) => length,
        (_, false) => length.div_ceil(2),
    };
    let derived = keyed::pbkdf2(algorithm, password, salt, iterations, bytes, &mut Work::new(cx));
    let Some(mut derived) = derived.transpose()? else {
        return Err(cx.arg_value_error(5, "must be less than or equal to what the algorithm can give"));
    };
    if binary {
        return Ok(derived.finish());
    }
    // Each byte becomes two digits, from the last on.
    let bytes = derived.len();
    derived.fill(0, bytes)?;
    let text = derived.as_mut_bytes();
    for at in (0..bytes).rev() {
        let byte = text[at];
        text[2 * at] = DIGITS[usize::from(byte >> 4)];
        text[2 * at + 1] = DIGITS[usize::from(byte & 15)];
    }
    if length > 0 {
        derived.truncate(length);
    }
    Ok(derived.finish())
}

pub fn hash_init(cx: &mut Cx, algo: &PStr, flags: i64, key: &PStr, options: &PArray) -> Res<PObject> {
    let algorithm = algorithm(cx, algo)?;
    let running = if flags & 1 != 0 {
        if algorithm.block_bytes.is_none() {
            return Err(cx.arg_value_error(1, "must be a cryptographic hashing algorithm if HMAC is requested"));
        }
        // The key may only be left out when there is none to use.
        if key.is_empty() {
            return Err(cx.arg_value_error(3, "must not be empty when HMAC is requested"));
        }
        crate::Hmac::new(algorithm, key).map(Running::Keyed)
    } else {
        Some(Running::Plain(start(cx, algorithm, options)?))
    };
    new_context(cx, State::new(algorithm, running))
}

fn new_context(cx: &mut Cx, state: State) -> Res<PObject> {
    let class = cx.builtin_class(b"hashcontext");
    let object = cx.new_object(class)?;
    crate::hash_context::fill(cx, &object, state)?;
    Ok(object)
}

pub fn hash_update(cx: &mut Cx, context: &PObject, data: &PStr) -> Res<bool> {
    crate::hash_context::update(cx, context, data)?;
    Ok(true)
}

pub fn hash_final(cx: &mut Cx, context: &PObject, binary: bool) -> Res<PStr> {
    let digest = crate::hash_context::finish(cx, context)?;
    Ok(digest_text(&digest, binary))
}

pub fn hash_copy(cx: &mut Cx, context: &PObject) -> Res<PObject> {
    let state = crate::hash_context::copy(cx, context)?;
    new_context(cx, state)
}
