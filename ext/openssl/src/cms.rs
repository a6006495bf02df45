//! CMS: signed and encrypted messages in three notations.

use crate::pkcs7::{cipher, contents, credentials, open, open_or_say, others, recipients, signer, write_headers, write_signers};
use crate::sys::Bio;
use crate::sys::message::{Cms, Encoding};
use crate::{arguments, errors, x509};
use jumbo_abi::{Cx, PArray, PRef, PStr, Res, Value};

const DETACHED: i64 = 64;

/// The notation of a number; the script is told when there is none.
fn encoding(cx: &mut Cx, number: i64) -> Res<Option<Encoding>> {
    Ok(match number {
        0 => Some(Encoding::Der),
        1 => Some(Encoding::Smime),
        2 => Some(Encoding::Pem),
        _ => {
            cx.warning("Unknown OPENSSL encoding")?;
            None
        }
    })
}

#[allow(clippy::too_many_arguments)]
pub fn openssl_cms_sign(
    cx: &mut Cx,
    input_filename: &PStr,
    output_filename: &PStr,
    certificate: &Value,
    private_key: &Value,
    headers: Option<&PArray>,
    flags: i64,
    encoding_: i64,
    untrusted_certificates_filename: Option<&PStr>,
) -> Res<bool> {
    let Some(encoding) = encoding(cx, encoding_)? else { return Ok(false) };
    let Some(extra) = others(cx, untrusted_certificates_filename, 8)? else { return Ok(false) };
    if encoding == Encoding::Smime && flags & DETACHED != 0 {
        cx.warning("Detached signatures not possible with S/MIME encoding")?;
        return Ok(false);
    }
    let Some((certificate, key)) = signer(cx, certificate, private_key)? else { return Ok(false) };
    let Some(input) = open_or_say(cx, input_filename, 1, false)? else { return Ok(false) };
    let Some(output) = open_or_say(cx, output_filename, 2, true)? else { return Ok(false) };
    let Some(message) = Cms::sign(&certificate, &key, extra.as_ref(), &input, flags as u32) else {
        errors::store(cx);
        cx.warning("Error creating CMS structure")?;
        return Ok(false);
    };
    if encoding == Encoding::Smime {
        input.rewind();
        write_headers(cx, &output, headers)?;
    }
    let done = message.write(&output, &input, encoding, flags as i32) && output.flush();
    errors::store(cx);
    Ok(done)
}

#[allow(clippy::too_many_arguments)]
pub fn openssl_cms_encrypt(
    cx: &mut Cx,
    input_filename: &PStr,
    output_filename: &PStr,
    certificate: &Value,
    headers: Option<&PArray>,
    flags: i64,
    encoding_: i64,
    cipher_algo: i64,
) -> Res<bool> {
    let Some(encoding) = encoding(cx, encoding_)? else { return Ok(false) };
    let Some(input) = open(cx, input_filename, 1, c"r")? else { return Ok(false) };
    let Some(output) = open(cx, output_filename, 2, c"w")? else { return Ok(false) };
    let Some(to) = recipients(cx, certificate)? else { return Ok(false) };
    let Some(cipher) = cipher(cx, cipher_algo)? else { return Ok(false) };
    let Some(message) = Cms::encrypt(&to, &input, cipher, flags as u32) else {
        errors::store(cx);
        return Ok(false);
    };
    if encoding == Encoding::Smime {
        write_headers(cx, &output, headers)?;
    }
    input.rewind();
    let done = message.write(&output, &input, encoding, flags as i32) && output.flush();
    errors::store(cx);
    Ok(done)
}

pub fn openssl_cms_decrypt(
    cx: &mut Cx,
    input_filename: &PStr,
    output_filename: &PStr,
    certificate: &Value,
    private_key: Option<&Value>,
    encoding_: i64,
) -> Res<bool> {
    let Some((certificate, key)) = credentials(cx, certificate, private_key)? else { return Ok(false) };
    let Some(encoding) = encoding(cx, encoding_)? else { return Ok(false) };
    let Some(input) = open(cx, input_filename, 1, c"r")? else { return Ok(false) };
    let Some(output) = open(cx, output_filename, 2, c"w")? else { return Ok(false) };
    let done = Cms::read(&input, encoding).is_some_and(|(message, _)| message.decrypt(&key, &certificate, &output, DETACHED as u32));
    errors::store(cx);
    Ok(done && output.flush())
}

#[allow(clippy::too_many_arguments)]
pub fn openssl_cms_verify(
    cx: &mut Cx,
    input_filename: &PStr,
    flags: i64,
    certificates: Option<&PStr>,
    ca_info: &PArray,
    untrusted_certificates_filename: Option<&PStr>,
    content: Option<&PStr>,
    pk7: Option<&PStr>,
    sigfile: Option<&PStr>,
    encoding_: i64,
) -> Res<bool> {
    let Some(encoding) = encoding(cx, encoding_)? else { return Ok(false) };
    let detached = flags & DETACHED != 0;
    if detached && encoding == Encoding::Smime {
        cx.warning("Detached signatures not possible with S/MIME encoding")?;
        return Ok(false);
    }
    let Some(extra) = others(cx, untrusted_certificates_filename, 5)? else { return Ok(false) };
    let Some(store) = x509::trusted(cx, ca_info, 4)? else { return Ok(false) };
    let flags = (flags & !DETACHED) as u32;
    // The signature stands in a file of its own, or in the message.
    let signature = match sigfile {
        Some(name) if detached => match open(cx, name, 8, c"r")? {
            Some(bio) => Some(bio),
            None => return Ok(false),
        },
        _ => None,
    };
    let Some(input) = open(cx, input_filename, 1, c"r")? else { return Ok(false) };
    let Some((message, inner)) = Cms::read(signature.as_ref().unwrap_or(&input), encoding) else {
        errors::store(cx);
        return Ok(false);
    };
    let data = if signature.is_some() { Some(&input) } else { inner.as_ref() };
    let out = match content {
        Some(content) => match open(cx, content, 6, c"w")? {
            Some(bio) => Some(bio),
            None => return Ok(false),
        },
        None => None,
    };
    let copy = match pk7 {
        Some(name) => match open(cx, name, 7, c"w")? {
            Some(bio) => Some(bio),
            None => return Ok(false),
        },
        None => None,
    };
    if !message.verify(extra.as_ref(), &store, data, out.as_ref(), flags) {
        errors::store(cx);
        return Ok(false);
    }
    if let Some(out) = &out {
        out.flush();
    }
    if let Some(name) = certificates
        && !write_signers(cx, name, message.signers(), "Signature OK, but cannot open %s for writing")?
    {
        return Ok(false);
    }
    if let Some(copy) = &copy
        && !(message.write_pem(copy) && copy.flush())
    {
        errors::store(cx);
        cx.warning("Failed to write to file")?;
        return Ok(false);
    }
    errors::store(cx);
    Ok(true)
}

pub fn openssl_cms_read(cx: &mut Cx, input_filename: &PStr, certificates: &PRef) -> Res<bool> {
    arguments::check_length(cx, input_filename.len(), 1)?;
    let message = Bio::reader(input_filename.as_bytes()).and_then(|bio| Cms::read(&bio, Encoding::Pem));
    errors::store(cx);
    let Some((message, _)) = message else { return Ok(false) };
    let (list, lists) = message.contents();
    certificates.set(Value::from(contents(&list, &lists)));
    Ok(true)
}
