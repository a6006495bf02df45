//! Digests, keys from passwords, random bytes.

use crate::errors;
use crate::sys::{self, Digest};
use jumbo_abi::{Cx, OrFalse, PArray, PRef, PStr, Res, Value, Work};
use jumbo_ext_strings::pure::encode;
use jumbo_value::{HeapCharge, PStrBuilder};

/// A digest by its name; the script is told when there is none.
pub fn by_name(cx: &mut Cx, name: &[u8]) -> Res<Option<Digest>> {
    let digest = Digest::by_name(name);
    if digest.is_none() {
        errors::discard();
        cx.warning("Unknown digest algorithm")?;
    }
    Ok(digest)
}

/// A digest by a number `OPENSSL_ALGO_*`.
pub fn by_number(number: i64) -> Option<Digest> {
    let name: &[u8] = match number {
        1 => b"SHA1",
        2 => b"MD5",
        3 => b"MD4",
        6 => b"SHA224",
        7 => b"SHA256",
        8 => b"SHA384",
        9 => b"SHA512",
        10 => b"RIPEMD160",
        _ => return None,
    };
    Digest::by_name(name)
}

/// Bytes, or their hexadecimal digits.
pub fn shown(bytes: &[u8], binary: bool) -> Res<PStr> {
    Ok(if binary { PStr::new(bytes) } else { encode::hex_encode(bytes)? })
}

pub fn openssl_digest(cx: &mut Cx, data: &PStr, digest_algo: &PStr, binary: bool) -> Res<OrFalse<PStr>> {
    let Some(digest) = by_name(cx, digest_algo.as_bytes())? else { return Ok(OrFalse::FALSE) };
    let out = digest.of(data.as_bytes(), &mut Work::new(cx))?;
    if out.is_none() {
        errors::store(cx);
    }
    Ok(OrFalse(out.map(|bytes| shown(&bytes, binary)).transpose()?))
}

pub fn openssl_get_md_methods(_cx: &mut Cx, aliases: bool) -> PArray {
    sys::digest::digest_names(aliases).iter().map(|name| Value::from(PStr::new(name))).collect()
}

pub fn openssl_pbkdf2(
    cx: &mut Cx,
    password: &PStr,
    salt: &PStr,
    key_length: i64,
    iterations: i64,
    digest_algo: &PStr,
) -> Res<OrFalse<PStr>> {
    if key_length <= 0 {
        return Err(cx.arg_value_error(3, "must be greater than 0"));
    }
    let Some(digest) = by_name(cx, digest_algo.as_bytes())? else { return Ok(OrFalse::FALSE) };
    for (text, argument) in [(password, 1), (salt, 2)] {
        crate::arguments::check_length(cx, text.len(), argument)?;
    }
    let Ok(length) = i32::try_from(key_length) else { return Err(cx.arg_value_error(3, "is too long")) };
    let Ok(iterations) = i32::try_from(iterations) else { return Err(cx.arg_value_error(4, "is too long")) };
    // Both go to another thread, and the key comes from there.
    let _charge = HeapCharge::new(password.len() + salt.len() + length as usize)?;
    let (password, salt) = (password.as_bytes().to_vec(), salt.as_bytes().to_vec());
    let key = errors::compute(cx, move || digest.pbkdf2(&password, &salt, iterations, length as usize));
    Ok(OrFalse(key.map(|bytes| PStr::new(&bytes))))
}

pub fn openssl_random_pseudo_bytes(cx: &mut Cx, length: i64, strong_result: Option<&PRef>) -> Res<PStr> {
    if let Some(strong) = strong_result {
        strong.set(Value::from(false));
    }
    if length < 1 {
        return Err(cx.arg_value_error(1, "must be greater than 0"));
    }
    let Ok(length) = i32::try_from(length) else { return Err(cx.arg_value_error(1, "is too large")) };
    let mut bytes = PStrBuilder::new();
    bytes.fill(0, length as usize)?;
    if !sys::digest::random(bytes.as_mut_bytes()) {
        errors::store(cx);
        return Err(cx.throw("Exception", "Error reading from source device"));
    }
    if let Some(strong) = strong_result {
        strong.set(Value::from(true));
    }
    Ok(bytes.finish())
}
