//! The hash functions.

use crate::algorithms::{ALGORITHMS, Algorithm, Options};
use crate::hash_context::{Running, State};
use crate::keyed;
use jumbo_abi::{Cx, PArray, PObject, PStr, Res, Value};
use std::convert::Infallible;

fn hex(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
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

/// A context with the options that the algorithm takes.
fn start(cx: &mut Cx, algorithm: &'static Algorithm, options: &PArray) -> Res<crate::Context> {
    let takes_seed = algorithm.name.starts_with("murmur") || algorithm.name.starts_with("xxh");
    let takes_secret = matches!(algorithm.name, "xxh3" | "xxh128");
    let mut seed = None;
    if takes_seed && let Some(value) = options.get_bytes(b"seed").map(Value::copy_deref) {
        if value.as_int().is_none() {
            cx.deprecated("Passing a seed of a type other than int is deprecated because it is the same as setting the seed to 0")?;
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
        secret = Some(cx.to_string(&value)?);
    }
    let options = Options { seed, secret: secret.as_ref().map(PStr::as_bytes) };
    algorithm.start(&options).map_err(|error| cx.throw_error(error.message()))
}

pub fn hash(cx: &mut Cx, algo: &PStr, data: &PStr, binary: bool, options: &PArray) -> Res<PStr> {
    let algorithm = algorithm(cx, algo)?;
    if options.is_empty() {
        return Ok(digest_text(&algorithm.hash(data), binary));
    }
    let mut context = start(cx, algorithm, options)?;
    context.update(data);
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
    Ok(digest_text(&keyed::hmac(algorithm, data, key).unwrap_or_default(), binary))
}

pub fn hash_equals(_cx: &mut Cx, known_string: &PStr, user_string: &PStr) -> bool {
    keyed::equals(known_string, user_string)
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
    match keyed::hkdf(algorithm, key, length, info, salt) {
        Some(bytes) if length <= most => Ok(PStr::new(&bytes)),
        _ => Err(cx.arg_value_error(3, format!("must be less than or equal to {most}"))),
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
    let derived = keyed::pbkdf2::<Infallible>(algorithm, password, salt, iterations, bytes, || Ok(()));
    let Some(Ok(derived)) = derived else {
        return Err(cx.arg_value_error(5, "must be less than or equal to what the algorithm can give"));
    };
    if binary {
        return Ok(PStr::new(&derived));
    }
    let mut text = hex(&derived);
    if length > 0 {
        text.truncate(length);
    }
    Ok(PStr::new(&text))
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
