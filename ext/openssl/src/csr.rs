//! Certificate signing requests: the class, making, signing, exporting.

use crate::arguments::{self, Part, Place};
use crate::errors;
use crate::options::Wish;
use crate::sys::request::{Draft, Serial};
use crate::sys::x509::object_id;
use crate::sys::{Bio, Request};
use crate::{key, x509};
use jumbo_abi::{ClassHooks, Cx, KeyRef, OrFalse, PArray, PObject, PRef, PStr, Res, Value};
use jumbo_value::Native;
use std::rc::Rc;

pub static HOOKS: ClassHooks = ClassHooks {
    not_instantiable: Some("Cannot directly construct OpenSSLCertificateSigningRequest, use openssl_csr_new() instead"),
    uncloneable: true,
    compare: Some(|_, a, b| Ok((a == b).then_some(0))),
    ..ClassHooks::NONE
};

struct State(Rc<Request>);

impl Native for State {}

pub fn of_object(object: &PObject) -> Option<Rc<Request>> {
    object.native::<State>().map(|state| state.0.clone())
}

/// A request; the script is told when there is none.
fn needed(cx: &mut Cx, csr: &Value) -> Res<Option<Rc<Request>>> {
    let found = arguments::request(cx, csr, Place::argument(1))?;
    if found.is_none() {
        cx.warning("X.509 Certificate Signing Request cannot be retrieved")?;
    }
    Ok(found)
}

const ADVICE: &str = "(failed; check error queue and value of string_mask OpenSSL option if illegal characters are reported)";

/// Says which text could not be added.
fn refuse(cx: &mut Cx, head: &str, name: &[u8], text: &[u8]) -> Res<bool> {
    errors::store(cx);
    cx.warning([head.as_bytes(), name, b" -> ", text, b" ", ADVICE.as_bytes()].concat())?;
    Ok(false)
}

/// Adds the script's parts of the subject. False: one cannot be added; the script was told.
fn add_names(cx: &mut Cx, request: &Request, names: &PArray, wish: &Wish) -> Res<bool> {
    for (name, value) in names.clone().iter() {
        let KeyRef::Str(name) = name else { continue };
        let Some(nid) = object_id(name.as_bytes()) else {
            errors::store(cx);
            cx.warning([b"dn: ".as_slice(), name.as_bytes(), b" is not a recognized name"].concat())?;
            continue;
        };
        let value = value.copy_deref();
        let values = match value.as_array() {
            Some(list) => list.values().map(Value::copy_deref).collect(),
            None => vec![value.clone()],
        };
        for value in values {
            let text = cx.to_string(&value)?;
            if !request.add_to_subject(nid, text.as_bytes(), wish.mask) {
                return refuse(cx, "dn: add_entry_by_NID ", nid.to_string().as_bytes(), text.as_bytes());
            }
        }
    }
    Ok(true)
}

/// Adds parts of the subject that the file has defaults for. False: one cannot be added; the script was told.
fn add_default_names(cx: &mut Cx, request: &Request, defaults: &[(Vec<u8>, Vec<u8>)], wish: &Wish) -> Res<bool> {
    for (name, value) in defaults {
        let Some(name) = name.strip_suffix(b"_default") else { continue };
        // `0.organizationName` and `1.organizationName` are two of one kind.
        let at = name.iter().position(|b| matches!(b, b'.' | b':' | b',')).map(|at| at + 1).filter(|at| *at < name.len());
        let name = &name[at.unwrap_or(0)..];
        let Some(nid) = object_id(name) else { continue };
        if request.subject_has(nid) {
            continue;
        }
        if !request.add_to_subject(nid, value, wish.mask) {
            errors::store(cx);
            cx.warning([b"add_entry_by_txt ".as_slice(), name, b" -> ", value, b" (failed)"].concat())?;
            return Ok(false);
        }
    }
    Ok(true)
}

/// Adds the script's attributes, then the file's. False: one cannot be added; the script was told.
fn add_attributes(cx: &mut Cx, request: &Request, attributes: &PArray, wish: &Wish) -> Res<bool> {
    for (name, value) in attributes.clone().iter() {
        let KeyRef::Str(name) = name else {
            cx.warning("attributes: numeric fild names are not supported")?;
            continue;
        };
        let Some(nid) = object_id(name.as_bytes()) else {
            errors::store(cx);
            cx.warning([b"attributes: ".as_slice(), name.as_bytes(), b" is not a recognized attribute name"].concat())?;
            continue;
        };
        let text = cx.to_string(value.deref())?;
        if !request.add_attribute(nid, text.as_bytes(), wish.mask) {
            return refuse(cx, "attributes: add_attr_by_NID ", nid.to_string().as_bytes(), text.as_bytes());
        }
    }
    let defaults = wish.setting("attributes").and_then(|section| wish.config.as_ref()?.section(&section));
    for (name, value) in defaults.unwrap_or_default() {
        let added = object_id(&name).is_some_and(|nid| request.add_attribute(nid, &value, wish.mask));
        if !added {
            return refuse(cx, "add1_attr_by_txt ", &name, &value);
        }
    }
    Ok(true)
}

/// Fills a request. False: it cannot be filled; the script was told, or the queue of errors says why.
fn fill(
    cx: &mut Cx,
    request: &Request,
    key: &crate::sys::Key,
    names: &PArray,
    attributes: Option<&PArray>,
    wish: &Wish,
) -> Res<bool> {
    let defaults = match &wish.config {
        None => Vec::new(),
        Some(config) => {
            let section = wish.setting("distinguished_name");
            let Some(defaults) = section.and_then(|section| config.section(&section)) else {
                errors::store(cx);
                return Ok(false);
            };
            defaults
        }
    };
    if !add_names(cx, request, names, wish)? || !add_default_names(cx, request, &defaults, wish)? {
        return Ok(false);
    }
    if let Some(attributes) = attributes
        && !add_attributes(cx, request, attributes, wish)?
    {
        return Ok(false);
    }
    let done = request.set_public_key(key);
    errors::store(cx);
    Ok(done)
}

pub fn openssl_csr_new(
    cx: &mut Cx,
    distinguished_names: &PArray,
    private_key: &PRef,
    options: Option<&PArray>,
    extra_attributes: Option<&PArray>,
) -> Res<Value> {
    let failed = Ok(Value::from(false));
    let Some(wish) = Wish::read(cx, options)? else { return failed };
    let given = private_key.get();
    // What is wrong with the key is thrown at the end: a new one is made all the same.
    let mut stopped = None;
    let mut key = None;
    if !given.is_null() && !given.is_undef() {
        match arguments::key(cx, &given, Part::Private, None, 2) {
            Ok(found) => key = found,
            Err(stop) => stopped = Some((stop, cx.exception.take())),
        }
    }
    let generated = key.is_none();
    if key.is_none() {
        key = wish.make_key(cx)?;
    }
    let mut made = None;
    if let Some(key) = &key
        && let Some(request) = Request::new()
        && fill(cx, &request, key, distinguished_names, extra_attributes, &wish)?
    {
        made = finish(cx, request, key, &wish)?;
    } else if key.is_none() {
        cx.warning("Unable to generate a private key")?;
    }
    if let Some((stop, exception)) = stopped {
        if cx.exception.is_none() {
            cx.exception = exception;
        }
        return Err(stop);
    }
    let Some(made) = made else { return failed };
    if generated && let Some(key) = key {
        let object = key::new(cx, key, true)?;
        private_key.set(Value::from(object));
    }
    Ok(Value::from(made))
}

/// Extensions and signature of a filled request.
fn finish(cx: &mut Cx, request: Request, key: &crate::sys::Key, wish: &Wish) -> Res<Option<PObject>> {
    if let (Some(config), Some(section)) = (&wish.config, &wish.request_extensions)
        && !request.add_extensions(config, section)
    {
        errors::store(cx);
        cx.warning([b"Error loading extension section ".as_slice(), section].concat())?;
        return Ok(None);
    }
    let digest = if key.signs_without_digest() { None } else { wish.digest };
    if !request.sign(key, digest) {
        errors::store(cx);
        cx.warning("Error signing request")?;
        return Ok(None);
    }
    errors::store(cx);
    let class = cx.builtin_class(b"opensslcertificatesigningrequest");
    let object = cx.new_object(class)?;
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State(Rc::new(request))));
    Ok(Some(object))
}

/// The longest serial number in hexadecimal digits.
const SERIAL_MAX: usize = 40;

#[allow(clippy::too_many_arguments)]
pub fn openssl_csr_sign(
    cx: &mut Cx,
    csr: &Value,
    ca_certificate: &Value,
    private_key: &Value,
    days: i64,
    options: Option<&PArray>,
    serial: i64,
    serial_hex: Option<&PStr>,
) -> Res<OrFalse<PObject>> {
    let Some(request) = needed(cx, csr)? else { return Ok(OrFalse::FALSE) };
    let issuer = if ca_certificate.deref().is_null() {
        None
    } else {
        match arguments::needed_certificate(cx, ca_certificate, Place::argument(2))? {
            Some(certificate) => Some(certificate),
            None => return Ok(OrFalse::FALSE),
        }
    };
    let message = "Cannot get private key from parameter 3";
    let Some(key) = arguments::needed_key(cx, private_key, Part::Private, 3, message)? else { return Ok(OrFalse::FALSE) };
    if let Some(issuer) = &issuer
        && !issuer.has_private_key(&key)
    {
        errors::store(cx);
        cx.warning("Private key does not correspond to signing cert")?;
        return Ok(OrFalse::FALSE);
    }
    let most = i64::MAX / 86_400;
    if !(0..=most).contains(&days) {
        cx.warning(format!("Days must be between 0 and {most}"))?;
        return Ok(OrFalse::FALSE);
    }
    let Some(wish) = Wish::read(cx, options)? else { return Ok(OrFalse::FALSE) };
    let Some(public) = request.public_key() else {
        errors::store(cx);
        cx.warning("Error unpacking public key")?;
        return Ok(OrFalse::FALSE);
    };
    let verified = request.verify(&public);
    if verified <= 0 {
        errors::store(cx);
        let problem = if verified < 0 { "Signature verification problems" } else { "Signature did not match the certificate request" };
        cx.warning(problem)?;
        return Ok(OrFalse::FALSE);
    }
    let serial = match serial_hex {
        Some(hex) if hex.len() > SERIAL_MAX => {
            cx.warning("Error parsing serial number because it is too long")?;
            return Ok(OrFalse::FALSE);
        }
        Some(hex) if hex.is_empty() || !hex.as_bytes().iter().all(u8::is_ascii_hexdigit) => {
            cx.warning("Error parsing serial number")?;
            return Ok(OrFalse::FALSE);
        }
        Some(hex) => Serial::Hex(hex.as_bytes().to_vec()),
        None => Serial::Number(serial),
    };
    let Some(draft) = Draft::new(&request, &public, issuer.as_ref(), days, &serial) else {
        errors::store(cx);
        return Ok(OrFalse::FALSE);
    };
    if let (Some(config), Some(section)) = (&wish.config, &wish.extensions)
        && !draft.add_extensions(&request, issuer.as_ref(), config, section)
    {
        errors::store(cx);
        return Ok(OrFalse::FALSE);
    }
    let digest = if key.signs_without_digest() { None } else { wish.digest };
    match draft.sign(&key, digest) {
        Some(certificate) => {
            errors::store(cx);
            Ok(OrFalse(Some(x509::new(cx, certificate)?)))
        }
        None => {
            errors::store(cx);
            cx.warning("Failed to sign it")?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn openssl_csr_export(cx: &mut Cx, csr: &Value, output: &PRef, no_text: bool) -> Res<bool> {
    let Some(request) = needed(cx, csr)? else { return Ok(false) };
    let Some(bio) = Bio::memory() else { return Ok(false) };
    let printed = no_text || request.print(&bio);
    let done = request.write(&bio);
    if !printed || !done {
        errors::store(cx);
    }
    if done {
        output.set(Value::from(PStr::new(&bio.take())));
    }
    Ok(done)
}

pub fn openssl_csr_export_to_file(cx: &mut Cx, csr: &Value, output_filename: &PStr, no_text: bool) -> Res<bool> {
    let Some(request) = needed(cx, csr)? else { return Ok(false) };
    let Some(path) = arguments::path(cx, output_filename.as_bytes(), Place::argument(2))? else { return Ok(false) };
    let Some(bio) = Bio::file(&path, c"w") else {
        errors::store(cx);
        cx.warning([b"Error opening file ".as_slice(), output_filename.as_bytes()].concat())?;
        return Ok(false);
    };
    let printed = no_text || request.print(&bio);
    let done = request.write(&bio) && bio.flush();
    if !printed || !done {
        errors::store(cx);
    }
    Ok(done)
}

pub fn openssl_csr_get_subject(cx: &mut Cx, csr: &Value, short_names: bool) -> Res<OrFalse<PArray>> {
    let request = arguments::request(cx, csr, Place::argument(1))?;
    Ok(OrFalse(request.map(|request| x509::name_array(&request.subject(), short_names))))
}

pub fn openssl_csr_get_public_key(cx: &mut Cx, csr: &Value, _short_names: bool) -> Res<OrFalse<PObject>> {
    let Some(request) = arguments::request(cx, csr, Place::argument(1))? else { return Ok(OrFalse::FALSE) };
    match request.public_key() {
        Some(public) => Ok(OrFalse(Some(key::new(cx, public, false)?))),
        None => {
            errors::store(cx);
            Ok(OrFalse::FALSE)
        }
    }
}
