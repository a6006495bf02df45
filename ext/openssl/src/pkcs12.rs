//! PKCS#12 files.

use crate::arguments::{self, Part, Place};
use crate::sys::Bio;
use crate::sys::pkcs12::Pkcs12;
use crate::sys::x509::Chain;
use crate::{errors, x509};
use jumbo_abi::{Cx, PArray, PRef, PStr, Res, Value};

/// What is to be written. None: it cannot be made; the script was told, or the queue of errors says why.
fn make(cx: &mut Cx, certificate: &Value, private_key: &Value, passphrase: &PStr, options: &PArray) -> Res<Option<Pkcs12>> {
    let Some(certificate) = arguments::needed_certificate(cx, certificate, Place::argument(1))? else { return Ok(None) };
    let message = "Cannot get private key from parameter 3";
    let Some(key) = arguments::needed_key(cx, private_key, Part::Private, 3, message)? else { return Ok(None) };
    if !certificate.has_private_key(&key) {
        errors::store(cx);
        cx.warning("Private key does not correspond to cert")?;
        return Ok(None);
    }
    let mut others = Vec::new();
    if let Some(extra) = options.get_bytes(b"extracerts").map(Value::copy_deref) {
        let (list, in_array) = match extra.as_array() {
            Some(list) => (list.values().map(Value::copy_deref).collect(), true),
            None => (vec![extra.clone()], false),
        };
        for value in list {
            let Some(found) = arguments::certificate(cx, &value, Place::option(5, "extracerts", in_array))? else { return Ok(None) };
            others.push(found);
        }
    }
    let chain = Chain::new(&others);
    let name = ["friendly_name", "friendlyname"].iter().find_map(|name| options.get_bytes(name.as_bytes()));
    let name = name.and_then(|name| name.deref().as_str().cloned());
    let name = name.as_ref().map(|name| name.as_bytes());
    let made = Pkcs12::create(passphrase.as_bytes(), name, &key, &certificate, chain.as_ref().filter(|_| !others.is_empty()));
    errors::store(cx);
    Ok(made)
}

pub fn openssl_pkcs12_export(
    cx: &mut Cx,
    certificate: &Value,
    output: &PRef,
    private_key: &Value,
    passphrase: &PStr,
    options: &PArray,
) -> Res<bool> {
    let Some(made) = make(cx, certificate, private_key, passphrase, options)? else { return Ok(false) };
    let Some(bio) = Bio::memory().filter(|bio| made.write(bio)) else {
        errors::store(cx);
        return Ok(false);
    };
    output.set(Value::from(PStr::new(&bio.take())));
    Ok(true)
}

pub fn openssl_pkcs12_export_to_file(
    cx: &mut Cx,
    certificate: &Value,
    output_filename: &PStr,
    private_key: &Value,
    passphrase: &PStr,
    options: &PArray,
) -> Res<bool> {
    // The certificate is looked at first, then the file's name.
    let Some(made) = make(cx, certificate, private_key, passphrase, options)? else { return Ok(false) };
    let Some(path) = arguments::path(cx, output_filename.as_bytes(), Place::argument(2))? else { return Ok(false) };
    let Some(bio) = Bio::file(&path, c"w") else {
        errors::store(cx);
        cx.warning([b"Error opening file ".as_slice(), output_filename.as_bytes()].concat())?;
        return Ok(false);
    };
    let done = made.write(&bio) && bio.flush();
    errors::store(cx);
    Ok(done)
}

pub fn openssl_pkcs12_read(cx: &mut Cx, pkcs12: &PStr, certificates: &PRef, passphrase: &PStr) -> Res<bool> {
    arguments::check_length(cx, pkcs12.len(), 1)?;
    let opened = Bio::reader(pkcs12.as_bytes()).and_then(|bio| Pkcs12::read(&bio)).and_then(|p| p.open(passphrase.as_bytes()));
    errors::store(cx);
    let Some(opened) = opened else { return Ok(false) };
    let mut out = PArray::new();
    if let Some(pem) = opened.certificate.as_ref().and_then(x509::pem) {
        out.set_bytes(b"cert", pem);
    }
    if let Some(key) = &opened.key
        && let Some(bio) = Bio::memory()
        && key.write_private(&bio, None)
    {
        out.set_bytes(b"pkey", PStr::new(&bio.take()));
    }
    if !opened.others.is_empty() {
        let list: PArray = opened.others.iter().filter_map(x509::pem).map(Value::from).collect();
        out.set_bytes(b"extracerts", list);
    }
    errors::store(cx);
    certificates.set(Value::from(out));
    Ok(true)
}
