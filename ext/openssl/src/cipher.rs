//! Symmetric encryption, and envelopes for several keys.

use crate::arguments::{self, Part};
use crate::errors;
use crate::sys::{self, Cipher};
use jumbo_abi::{Cx, OrFalse, PArray, PRef, PStr, Res, Value, Work};
use jumbo_ext_strings::pure::encode;
use jumbo_value::PStrBuilder;

const RAW_DATA: i64 = 1;
const ZERO_PADDING: i64 = 2;
const DONT_ZERO_PAD_KEY: i64 = 4;

fn by_name(cx: &mut Cx, name: &PStr) -> Res<Option<Cipher>> {
    let cipher = Cipher::by_name(name.as_bytes());
    if cipher.is_none() {
        cx.warning("Unknown cipher algorithm")?;
    }
    Ok(cipher)
}

fn length(cx: &mut Cx, name: &PStr, of: fn(Cipher) -> usize) -> Res<OrFalse<i64>> {
    if name.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    Ok(OrFalse(by_name(cx, name)?.map(|c| of(c) as i64)))
}

pub fn openssl_cipher_iv_length(cx: &mut Cx, cipher_algo: &PStr) -> Res<OrFalse<i64>> {
    length(cx, cipher_algo, Cipher::iv_length)
}

pub fn openssl_cipher_key_length(cx: &mut Cx, cipher_algo: &PStr) -> Res<OrFalse<i64>> {
    length(cx, cipher_algo, Cipher::key_length)
}

pub fn openssl_get_cipher_methods(_cx: &mut Cx, aliases: bool) -> PArray {
    sys::digest::cipher_names(aliases).iter().map(|name| Value::from(PStr::new(name))).collect()
}

/// What both directions are given.
struct Given<'a> {
    password: &'a [u8],
    iv: &'a [u8],
    options: i64,
    aad: &'a [u8],
}

/// The tag of the direction.
enum Tag<'a> {
    /// Of this length, after encryption.
    Make(usize),
    Check(Option<&'a [u8]>),
}

/// The initialisation vector as the cipher needs it. None: it cannot be used; the script was told.
fn fit_iv(cx: &mut Cx, iv: &[u8], cipher: Cipher, encrypt: bool) -> Res<Vec<u8>> {
    let needed = cipher.iv_length();
    let mut fitted = iv.to_vec();
    if iv.is_empty() {
        if encrypt && needed > 0 {
            cx.warning("Using an empty Initialization Vector (iv) is potentially insecure and not recommended")?;
        }
    } else if iv.len() < needed {
        let given = iv.len();
        cx.warning(format!(
            "IV passed is only {given} bytes long, cipher expects an IV of precisely {needed} bytes, padding with \\0"
        ))?;
    } else if iv.len() > needed {
        let given = iv.len();
        cx.warning(format!("IV passed is {given} bytes long which is longer than the {needed} expected by selected cipher, truncating"))?;
    }
    fitted.resize(needed, 0);
    Ok(fitted)
}

/// Sets the computation up. None: the script was told.
fn prepare(cx: &mut Cx, cipher: Cipher, given: &Given, tag: &Tag) -> Res<Option<sys::cipher::Context>> {
    let encrypt = matches!(tag, Tag::Make(_));
    let aead = cipher.is_aead();
    let Some(context) = cipher.begin(encrypt) else {
        errors::store(cx);
        return Ok(None);
    };
    let fitted;
    let iv = if aead {
        if !context.set_iv_length(given.iv.len()) {
            errors::store(cx);
            cx.warning("Setting of IV length for AEAD mode failed")?;
            return Ok(None);
        }
        given.iv
    } else {
        fitted = fit_iv(cx, given.iv, cipher, encrypt)?;
        &fitted
    };
    match tag {
        Tag::Make(len) if cipher.is_single_run() || cipher.is_ocb() => {
            if !context.set_tag_length(*len) {
                errors::store(cx);
                cx.warning("Setting tag length for AEAD cipher failed")?;
                return Ok(None);
            }
        }
        Tag::Check(Some(tag)) if !tag.is_empty() => {
            if !aead {
                cx.warning("The tag cannot be used because the cipher algorithm does not support AEAD")?;
            } else if cipher.is_ocb() && !context.set_tag_length(tag.len()) {
                errors::store(cx);
                cx.warning("Setting tag length for AEAD cipher failed")?;
                return Ok(None);
            } else if !context.set_tag(tag) {
                errors::store(cx);
                cx.warning("Setting tag for AEAD cipher decryption failed")?;
                return Ok(None);
            }
        }
        _ => {}
    }
    let mut key = given.password.to_vec();
    let needed = cipher.key_length();
    if key.len() < needed {
        if given.options & DONT_ZERO_PAD_KEY != 0 && !context.set_key_length(key.len()) {
            errors::store(cx);
            cx.warning("Key length cannot be set for the cipher algorithm")?;
            return Ok(None);
        }
        key.resize(needed, 0);
    } else if key.len() > needed && !context.set_key_length(key.len()) {
        // The cipher's own length is taken then.
        errors::store(cx);
    }
    if !context.set_key(&key, iv, encrypt) {
        errors::store(cx);
        return Ok(None);
    }
    if given.options & ZERO_PADDING != 0 {
        context.set_padding(false);
    }
    Ok(Some(context))
}

/// Runs the computation. None: the script was told, or the queue of errors says why.
fn run(cx: &mut Cx, cipher: Cipher, context: &sys::cipher::Context, given: &Given, data: &[u8], finish: bool) -> Res<Option<PStrBuilder>> {
    if cipher.is_single_run() && !context.announce(data.len()) {
        errors::store(cx);
        cx.warning("Setting of data length failed")?;
        return Ok(None);
    }
    if cipher.is_aead() && !given.aad.is_empty() && !context.add_authenticated(given.aad) {
        errors::store(cx);
        cx.warning("Setting of additional application data failed")?;
        return Ok(None);
    }
    let out = context.run(cipher, data, finish, &mut Work::new(cx))?;
    if out.is_none() {
        errors::store(cx);
    }
    Ok(out)
}

#[allow(clippy::too_many_arguments)]
pub fn openssl_encrypt(
    cx: &mut Cx,
    data: &PStr,
    cipher_algo: &PStr,
    passphrase: &PStr,
    options: i64,
    iv: &PStr,
    tag: Option<&PRef>,
    aad: &PStr,
    tag_length: i64,
) -> Res<OrFalse<PStr>> {
    for (text, argument) in [(data, 1), (passphrase, 3), (aad, 7)] {
        arguments::check_length(cx, text.len(), argument)?;
    }
    let Some(cipher) = by_name(cx, cipher_algo)? else { return Ok(OrFalse::FALSE) };
    let given = Given { password: passphrase.as_bytes(), iv: iv.as_bytes(), options, aad: aad.as_bytes() };
    let tag_length = usize::try_from(tag_length).unwrap_or(0).min(1 << 20);
    let Some(context) = prepare(cx, cipher, &given, &Tag::Make(tag_length))? else { return Ok(OrFalse::FALSE) };
    let Some(out) = run(cx, cipher, &context, &given, data.as_bytes(), true)? else { return Ok(OrFalse::FALSE) };
    match tag {
        Some(tag) if cipher.is_aead() => {
            let Some(bytes) = context.tag(tag_length) else {
                errors::store(cx);
                cx.warning("Retrieving verification tag failed")?;
                return Ok(OrFalse::FALSE);
            };
            tag.set(Value::from(PStr::new(&bytes)));
        }
        Some(tag) => tag.set(Value::null()),
        None if cipher.is_aead() => {
            cx.warning("A tag should be provided when using AEAD mode")?;
            return Ok(OrFalse::FALSE);
        }
        None => {}
    }
    Ok(OrFalse(Some(if options & RAW_DATA != 0 { out.finish() } else { encode::base64_encode(&out)? })))
}

#[allow(clippy::too_many_arguments)]
pub fn openssl_decrypt(
    cx: &mut Cx,
    data: &PStr,
    cipher_algo: &PStr,
    passphrase: &PStr,
    options: i64,
    iv: &PStr,
    tag: Option<&PStr>,
    aad: &PStr,
) -> Res<OrFalse<PStr>> {
    if cipher_algo.is_empty() {
        return Err(cx.arg_value_error(2, "must not be empty"));
    }
    for (text, argument) in [(data, 1), (passphrase, 3), (aad, 7)] {
        arguments::check_length(cx, text.len(), argument)?;
    }
    let Some(cipher) = by_name(cx, cipher_algo)? else { return Ok(OrFalse::FALSE) };
    let decoded;
    let data = if options & RAW_DATA != 0 {
        data.as_bytes()
    } else {
        match encode::base64_decode(data.as_bytes(), false)? {
            Some(bytes) => {
                decoded = bytes;
                &decoded
            }
            None => {
                cx.warning("Failed to base64 decode the input")?;
                return Ok(OrFalse::FALSE);
            }
        }
    };
    let given = Given { password: passphrase.as_bytes(), iv: iv.as_bytes(), options, aad: aad.as_bytes() };
    let check = Tag::Check(tag.map(|t| t.as_bytes()));
    let Some(context) = prepare(cx, cipher, &given, &check)? else { return Ok(OrFalse::FALSE) };
    let out = run(cx, cipher, &context, &given, data, !cipher.is_single_run())?;
    Ok(OrFalse(out.map(PStrBuilder::finish)))
}

pub fn openssl_seal(
    cx: &mut Cx,
    data: &PStr,
    sealed_data: &PRef,
    encrypted_keys: &PRef,
    public_key: &PArray,
    cipher_algo: &PStr,
    iv: Option<&PRef>,
) -> Res<OrFalse<i64>> {
    arguments::check_length(cx, data.len(), 1)?;
    if public_key.is_empty() {
        return Err(cx.arg_value_error(4, "must not be empty"));
    }
    let Some(cipher) = by_name(cx, cipher_algo)? else { return Ok(OrFalse::FALSE) };
    if cipher.iv_length() > 0 && iv.is_none() {
        return Err(cx.arg_value_error(6, "cannot be null for the chosen cipher algorithm"));
    }
    let mut keys = Vec::new();
    for value in public_key.clone().values() {
        match arguments::key(cx, value, Part::Public, None, 4)? {
            Some(key) => keys.push(key),
            None => {
                cx.warning(format!("Not a public key ({}th member of pubkeys)", keys.len() + 1))?;
                return Ok(OrFalse::FALSE);
            }
        }
    }
    let keys: Vec<_> = keys.iter().collect();
    let Some((sealed, encrypted, used_iv)) = cipher.seal(data.as_bytes(), &keys) else {
        errors::store(cx);
        return Ok(OrFalse::FALSE);
    };
    let len = sealed.len() as i64;
    sealed_data.set(Value::from(PStr::new(&sealed)));
    let list: PArray = encrypted.iter().map(|key| Value::from(PStr::new(key))).collect();
    encrypted_keys.set(Value::from(list));
    if let Some(iv) = iv.filter(|_| !used_iv.is_empty()) {
        iv.set(Value::from(PStr::new(&used_iv)));
    }
    Ok(OrFalse(Some(len)))
}

pub fn openssl_open(
    cx: &mut Cx,
    data: &PStr,
    output: &PRef,
    encrypted_key: &PStr,
    private_key: &Value,
    cipher_algo: &PStr,
    iv: Option<&PStr>,
) -> Res<bool> {
    let message = "Unable to coerce parameter 4 into a private key";
    let Some(key) = arguments::needed_key(cx, private_key, Part::Private, 4, message)? else { return Ok(false) };
    for (text, argument) in [(data, 1), (encrypted_key, 3)] {
        arguments::check_length(cx, text.len(), argument)?;
    }
    let Some(cipher) = by_name(cx, cipher_algo)? else { return Ok(false) };
    if cipher.iv_length() > 0 {
        let Some(iv) = iv else { return Err(cx.arg_value_error(6, "cannot be null for the chosen cipher algorithm")) };
        if iv.len() != cipher.iv_length() {
            cx.warning("IV length is invalid")?;
            return Ok(false);
        }
    }
    match cipher.open(data.as_bytes(), encrypted_key.as_bytes(), iv.map(|iv| iv.as_bytes()), &key) {
        Some(opened) => {
            output.set(Value::from(PStr::new(&opened)));
            Ok(true)
        }
        None => {
            errors::store(cx);
            Ok(false)
        }
    }
}
