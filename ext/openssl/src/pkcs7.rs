//! PKCS#7: signed and encrypted mail.

use crate::arguments::{self, Part, Place};
use crate::options::cipher_by_number;
use crate::sys::message::Pkcs7;
use crate::sys::x509::Chain;
use crate::sys::{Bio, Certificate, Cipher};
use crate::{errors, x509};
use jumbo_abi::{Cx, KeyRef, PArray, PRef, PStr, Res, Value};

const DETACHED: i64 = 64;
const NOINTERN: i64 = 16;

/// A file to read or write. None: it cannot be opened.
pub fn open(cx: &mut Cx, name: &PStr, argument: u32, mode: &std::ffi::CStr) -> Res<Option<Bio>> {
    let Some(path) = arguments::path(cx, name.as_bytes(), Place::argument(argument))? else { return Ok(None) };
    let bio = Bio::file(&path, mode);
    if bio.is_none() {
        errors::store(cx);
    }
    Ok(bio)
}

/// As [`open`]; the script is told when it cannot be opened.
pub fn open_or_say(cx: &mut Cx, name: &PStr, argument: u32, writing: bool) -> Res<Option<Bio>> {
    let Some(path) = arguments::path(cx, name.as_bytes(), Place::argument(argument))? else { return Ok(None) };
    let bio = Bio::file(&path, if writing { c"w" } else { c"r" });
    if bio.is_none() {
        errors::store(cx);
        let kind = if writing { "output" } else { "input" };
        cx.warning([format!("Error opening {kind} file ").as_bytes(), name.as_bytes(), b"!"].concat())?;
    }
    Ok(bio)
}

/// Writes the head of a mail.
pub fn write_headers(cx: &mut Cx, out: &Bio, headers: Option<&PArray>) -> Res<()> {
    let Some(headers) = headers else { return Ok(()) };
    for (name, value) in headers.clone().iter() {
        let text = cx.to_string(value.deref())?;
        if let KeyRef::Str(name) = name {
            out.put(name.as_bytes());
            out.put(b": ");
        }
        out.put(text.as_bytes());
        out.put(b"\n");
    }
    Ok(())
}

/// Certificates of whom a message is for: one, or an array. None: one cannot be had.
pub fn recipients(cx: &mut Cx, certificate: &Value) -> Res<Option<Chain>> {
    let value = certificate.copy_deref();
    let mut found = Vec::new();
    match value.as_array() {
        Some(list) => {
            for value in list.values() {
                match arguments::certificate(cx, &value.copy_deref(), Place::items_of(3))? {
                    Some(certificate) => found.push(certificate),
                    None => return Ok(None),
                }
            }
        }
        None => match arguments::certificate(cx, &value, Place::argument(3))? {
            Some(certificate) => found.push(certificate),
            None => return Ok(None),
        },
    }
    Ok(Chain::new(&found))
}

/// The cipher of a message; the script is told when there is none.
pub fn cipher(cx: &mut Cx, number: i64) -> Res<Option<Cipher>> {
    let cipher = cipher_by_number(number);
    if cipher.is_none() {
        cx.warning("Failed to get cipher")?;
    }
    Ok(cipher)
}

/// Certificates of a file, when one is named. The outer None: they cannot be had; the script was told.
pub fn others(cx: &mut Cx, file: Option<&PStr>, argument: u32) -> Res<Option<Option<Chain>>> {
    match file {
        None => Ok(Some(None)),
        Some(file) => Ok(arguments::certificates_of_file(cx, file, argument)?.map(|list| Chain::new(&list))),
    }
}

/// What decrypts: the certificate, and a key that may stand with it. None: one cannot be had; the script was told.
pub fn credentials(
    cx: &mut Cx,
    certificate: &Value,
    private_key: Option<&Value>,
) -> Res<Option<(Certificate, crate::sys::Key)>> {
    let Some(found) = arguments::needed_certificate(cx, certificate, Place::argument(3))? else { return Ok(None) };
    let (key, argument) = match private_key.filter(|key| !key.deref().is_null()) {
        Some(key) => (key, 4),
        None => (certificate, 3),
    };
    let key = arguments::needed_key(cx, key, Part::Private, argument, "Unable to get private key")?;
    Ok(key.map(|key| (found, key)))
}

/// Signer of a message: certificate and key. None: one cannot be had; the script was told.
pub fn signer(cx: &mut Cx, certificate: &Value, private_key: &Value) -> Res<Option<(Certificate, crate::sys::Key)>> {
    let key = arguments::needed_key(cx, private_key, Part::Private, 4, "Error getting private key")?;
    let Some(key) = key else { return Ok(None) };
    let certificate = arguments::needed_certificate(cx, certificate, Place::argument(3))?;
    Ok(certificate.map(|certificate| (certificate, key)))
}

/// An array of certificates and revocation lists.
pub fn contents(certificates: &[Certificate], lists: &[Vec<u8>]) -> PArray {
    let texts = certificates.iter().filter_map(x509::pem).map(Value::from);
    texts.chain(lists.iter().map(|pem| Value::from(PStr::new(pem)))).collect()
}

fn flags(flags: i64) -> i32 {
    // Bits beyond the library's mean nothing.
    flags as i32
}

pub fn openssl_pkcs7_sign(
    cx: &mut Cx,
    input_filename: &PStr,
    output_filename: &PStr,
    certificate: &Value,
    private_key: &Value,
    headers: Option<&PArray>,
    flags_: i64,
    untrusted_certificates_filename: Option<&PStr>,
) -> Res<bool> {
    let Some(extra) = others(cx, untrusted_certificates_filename, 7)? else { return Ok(false) };
    let Some((certificate, key)) = signer(cx, certificate, private_key)? else { return Ok(false) };
    let Some(input) = open_or_say(cx, input_filename, 1, false)? else { return Ok(false) };
    let Some(output) = open_or_say(cx, output_filename, 2, true)? else { return Ok(false) };
    let Some(message) = Pkcs7::sign(&certificate, &key, extra.as_ref(), &input, flags(flags_)) else {
        errors::store(cx);
        cx.warning("Error creating PKCS7 structure!")?;
        return Ok(false);
    };
    input.rewind();
    write_headers(cx, &output, headers)?;
    let done = message.write_smime(&output, &input, flags(flags_)) && output.flush();
    errors::store(cx);
    Ok(done)
}

pub fn openssl_pkcs7_encrypt(
    cx: &mut Cx,
    input_filename: &PStr,
    output_filename: &PStr,
    certificate: &Value,
    headers: Option<&PArray>,
    flags_: i64,
    cipher_algo: i64,
) -> Res<bool> {
    let Some(input) = open(cx, input_filename, 1, c"r")? else { return Ok(false) };
    let Some(output) = open(cx, output_filename, 2, c"w")? else { return Ok(false) };
    let Some(to) = recipients(cx, certificate)? else { return Ok(false) };
    let Some(cipher) = cipher(cx, cipher_algo)? else { return Ok(false) };
    let Some(message) = Pkcs7::encrypt(&to, &input, cipher, flags(flags_)) else {
        errors::store(cx);
        return Ok(false);
    };
    write_headers(cx, &output, headers)?;
    input.rewind();
    let done = message.write_smime(&output, &input, flags(flags_)) && output.flush();
    errors::store(cx);
    Ok(done)
}

pub fn openssl_pkcs7_decrypt(
    cx: &mut Cx,
    input_filename: &PStr,
    output_filename: &PStr,
    certificate: &Value,
    private_key: Option<&Value>,
) -> Res<bool> {
    let Some((certificate, key)) = credentials(cx, certificate, private_key)? else { return Ok(false) };
    let Some(input) = open(cx, input_filename, 1, c"r")? else { return Ok(false) };
    let Some(output) = open(cx, output_filename, 2, c"w")? else { return Ok(false) };
    let done = Pkcs7::read_smime(&input).is_some_and(|(message, _)| message.decrypt(&key, &certificate, &output, flags(DETACHED)));
    errors::store(cx);
    Ok(done && output.flush())
}

#[allow(clippy::too_many_arguments)]
pub fn openssl_pkcs7_verify(
    cx: &mut Cx,
    input_filename: &PStr,
    flags_: i64,
    signers_certificates_filename: Option<&PStr>,
    ca_info: &PArray,
    untrusted_certificates_filename: Option<&PStr>,
    content: Option<&PStr>,
    output_filename: Option<&PStr>,
) -> Res<Value> {
    let failed = Ok(Value::from(-1i64));
    let Some(extra) = others(cx, untrusted_certificates_filename, 5)? else { return failed };
    // The library must not look at certificates of the message when others are given.
    let flags_ = flags(flags_ & !DETACHED);
    let Some(store) = x509::trusted(cx, ca_info, 4)? else { return failed };
    let Some(input) = open(cx, input_filename, 1, c"r")? else { return failed };
    let Some((message, detached)) = Pkcs7::read_smime(&input) else {
        errors::store(cx);
        return failed;
    };
    let out = match content {
        Some(content) => match open(cx, content, 6, c"w")? {
            Some(bio) => Some(bio),
            None => return failed,
        },
        None => None,
    };
    let copy = match output_filename {
        Some(name) => match open(cx, name, 7, c"w")? {
            Some(bio) => Some(bio),
            None => return failed,
        },
        None => None,
    };
    if !message.verify(extra.as_ref(), &store, detached.as_ref(), out.as_ref(), flags_) {
        errors::store(cx);
        return Ok(Value::from(false));
    }
    if let Some(out) = &out {
        out.flush();
    }
    if let Some(copy) = &copy
        && !(message.write_pem(copy) && copy.flush())
    {
        errors::store(cx);
    }
    if let Some(name) = signers_certificates_filename
        && !write_signers(cx, name, message.signers(None, flags_ & flags(NOINTERN)), "signature OK, but cannot open %s for writing")?
    {
        return failed;
    }
    errors::store(cx);
    Ok(Value::from(true))
}

/// Writes the certificates of the signers. False: the file cannot be written; the script was told.
pub fn write_signers(cx: &mut Cx, name: &PStr, signers: Option<Vec<Certificate>>, refusal: &str) -> Res<bool> {
    let Some(bio) = open(cx, name, 3, c"w")? else {
        let text = refusal.as_bytes();
        let at = text.windows(2).position(|w| w == b"%s").unwrap_or(text.len());
        let shown = [&text[..at], name.as_bytes(), text.get(at + 2..).unwrap_or_default()].concat();
        cx.warning(shown)?;
        return Ok(false);
    };
    let Some(signers) = signers else {
        errors::store(cx);
        return Ok(false);
    };
    for signer in signers {
        if !signer.write(&bio) {
            errors::store(cx);
            cx.warning("Failed to write signer")?;
        }
    }
    Ok(bio.flush())
}

pub fn openssl_pkcs7_read(cx: &mut Cx, data: &PStr, certificates: &PRef) -> Res<bool> {
    arguments::check_length(cx, data.len(), 1)?;
    let found = Bio::reader(data.as_bytes()).and_then(|bio| Pkcs7::read_pem(&bio)).and_then(|message| message.contents());
    errors::store(cx);
    let Some((list, lists)) = found else { return Ok(false) };
    certificates.set(Value::from(contents(&list, &lists)));
    Ok(true)
}
