//! Certificates: the class, reading, parsing, exporting, checking.

use crate::arguments::{self, Part, Place};
use crate::sys::store::{self, Store};
use crate::sys::x509::{Chain, NamePart, Time};
use crate::sys::{Bio, Certificate};
use crate::{digest, errors};
use jumbo_abi::{ClassHooks, Cx, OrFalse, PArray, PObject, PRef, PStr, Res, Value};
use jumbo_value::Native;
use std::os::unix::ffi::OsStrExt;

pub static HOOKS: ClassHooks = ClassHooks {
    not_instantiable: Some("Cannot directly construct OpenSSLCertificate, use openssl_x509_read() instead"),
    uncloneable: true,
    compare: Some(|_, a, b| Ok((a == b).then_some(0))),
    ..ClassHooks::NONE
};

struct State(Certificate);

impl Native for State {}

pub fn of_object(object: &PObject) -> Option<Certificate> {
    object.native::<State>().map(|state| state.0.share())
}

pub fn new(cx: &mut Cx, certificate: Certificate) -> Res<PObject> {
    let class = cx.builtin_class(b"opensslcertificate");
    let object = cx.new_object(class)?;
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State(certificate)));
    Ok(object)
}

/// A certificate as PEM.
pub fn pem(certificate: &Certificate) -> Option<PStr> {
    let bio = Bio::memory()?;
    certificate.write(&bio).then(|| PStr::new(&bio.take()))
}

pub fn openssl_x509_read(cx: &mut Cx, certificate: &Value) -> Res<OrFalse<PObject>> {
    match arguments::needed_certificate(cx, certificate, Place::argument(1))? {
        Some(certificate) => Ok(OrFalse(Some(new(cx, certificate)?))),
        None => Ok(OrFalse::FALSE),
    }
}

/// Certificates end by themselves.
pub fn openssl_x509_free(_cx: &mut Cx, _certificate: &PObject) {}

pub fn openssl_x509_export(cx: &mut Cx, certificate: &Value, output: &PRef, no_text: bool) -> Res<bool> {
    let Some(certificate) = arguments::needed_certificate(cx, certificate, Place::argument(1))? else { return Ok(false) };
    let Some(bio) = Bio::memory() else { return Ok(false) };
    let printed = no_text || certificate.print(&bio);
    let done = certificate.write(&bio);
    if !printed || !done {
        errors::store(cx);
    }
    if done {
        output.set(Value::from(PStr::new(&bio.take())));
    }
    Ok(done)
}

pub fn openssl_x509_export_to_file(cx: &mut Cx, certificate: &Value, output_filename: &PStr, no_text: bool) -> Res<bool> {
    let Some(certificate) = arguments::needed_certificate(cx, certificate, Place::argument(1))? else { return Ok(false) };
    let Some(path) = arguments::path(cx, output_filename.as_bytes(), Place::argument(2))? else { return Ok(false) };
    let Some(bio) = Bio::file(&path, c"w") else {
        errors::store(cx);
        cx.warning([b"Error opening file ".as_slice(), output_filename.as_bytes()].concat())?;
        return Ok(false);
    };
    let printed = no_text || certificate.print(&bio);
    let done = certificate.write(&bio) && bio.flush();
    if !printed || !done {
        errors::store(cx);
    }
    Ok(done)
}

pub fn openssl_x509_fingerprint(cx: &mut Cx, certificate: &Value, digest_algo: &PStr, binary: bool) -> Res<OrFalse<PStr>> {
    let Some(certificate) = arguments::needed_certificate(cx, certificate, Place::argument(1))? else { return Ok(OrFalse::FALSE) };
    let Some(chosen) = digest::by_name(cx, digest_algo.as_bytes())? else { return Ok(OrFalse::FALSE) };
    match certificate.fingerprint(chosen) {
        Some(bytes) => Ok(OrFalse(Some(digest::shown(&bytes, binary)?))),
        None => {
            errors::store(cx);
            cx.warning("Could not generate signature")?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn openssl_x509_check_private_key(cx: &mut Cx, certificate: &Value, private_key: &Value) -> Res<bool> {
    let Some(certificate) = arguments::certificate(cx, certificate, Place::argument(1))? else { return Ok(false) };
    let Some(key) = arguments::key(cx, private_key, Part::Private, None, 2)? else { return Ok(false) };
    let fits = certificate.has_private_key(&key);
    errors::store(cx);
    Ok(fits)
}

pub fn openssl_x509_verify(cx: &mut Cx, certificate: &Value, public_key: &Value) -> Res<i64> {
    let Some(certificate) = arguments::certificate(cx, certificate, Place::argument(1))? else { return Ok(-1) };
    let Some(key) = arguments::key(cx, public_key, Part::Public, None, 2)? else { return Ok(-1) };
    let result = certificate.verify(&key);
    errors::store(cx);
    Ok(result)
}

/// A name as an array: what comes several times becomes a list.
pub fn name_array(parts: &[NamePart], short: bool) -> PArray {
    let mut out = PArray::new();
    for part in parts {
        let Some(text) = &part.text else { continue };
        let (key, text) = (if short { &part.short } else { &part.long }, Value::from(PStr::new(text)));
        match out.get_bytes(key).cloned() {
            None => out.set_bytes(key, text),
            Some(before) => {
                let mut list = before.as_array().cloned().unwrap_or_else(|| PArray::from_values([before.clone()]));
                list.append(text);
                out.set_bytes(key, list);
            }
        }
    }
    out
}

/// Seconds since 1970 of a certificate's time; -1: it is none, and the script was told.
fn seconds(cx: &mut Cx, time: &Time) -> Res<i64> {
    let Some(generalized) = time.generalized else {
        cx.warning("Illegal ASN1 data type for timestamp")?;
        return Ok(-1);
    };
    if time.text.contains(&0) {
        cx.warning("Illegal length in timestamp")?;
        return Ok(-1);
    }
    let wanted = if generalized { 15 } else { 13 };
    let digits = |from: usize, len: usize| -> Option<i64> {
        let part = time.text.get(from..from + len)?;
        part.iter().all(u8::is_ascii_digit).then(|| part.iter().fold(0, |n, d| n * 10 + i64::from(d - b'0')))
    };
    let year_len = if generalized { 4 } else { 2 };
    let parse = || {
        let year = digits(0, year_len)?;
        // Two digits are those of 1950 to 2049.
        let year = if generalized { year } else { year + if year < 50 { 2000 } else { 1900 } };
        let mut at = year_len;
        let mut next = || {
            at += 2;
            digits(at - 2, 2)
        };
        let (month, day, hour, minute, second) = (next()?, next()?, next()?, next()?, next()?);
        let days = days_since_epoch(year, month, day);
        Some(days * 86_400 + hour * 3600 + minute * 60 + second)
    };
    match parse().filter(|_| time.text.len() >= wanted) {
        Some(seconds) => Ok(seconds),
        None => {
            cx.warning([b"Unable to parse time string ".as_slice(), &time.text, b" correctly"].concat())?;
            Ok(-1)
        }
    }
}

/// Days from 1970 to a day of the Gregorian calendar; months beyond the year count on.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = year + (month - 1).div_euclid(12);
    let month = (month - 1).rem_euclid(12) + 1;
    // The year begins in March, so that the leap day is its last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let century = year.div_euclid(400);
    let of_century = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    century * 146_097 + of_century * 365 + of_century / 4 - of_century / 100 + of_year - 719_468
}

pub fn openssl_x509_parse(cx: &mut Cx, certificate: &Value, short_names: bool) -> Res<OrFalse<PArray>> {
    let Some(certificate) = arguments::certificate(cx, certificate, Place::argument(1))? else { return Ok(OrFalse::FALSE) };
    let text = |bytes: &[u8]| PStr::new(bytes);
    let mut out = PArray::new();
    out.set_bytes(b"name", text(&certificate.subject_line()));
    out.set_bytes(b"subject", name_array(&certificate.subject(), short_names));
    out.set_bytes(b"hash", text(format!("{:08x}", certificate.subject_hash()).as_bytes()));
    out.set_bytes(b"issuer", name_array(&certificate.issuer(), short_names));
    out.set_bytes(b"version", certificate.version());
    let (serial, hex) = certificate.serial();
    out.set_bytes(b"serialNumber", text(&serial));
    out.set_bytes(b"serialNumberHex", text(&hex));
    let [from, to] = certificate.validity();
    out.set_bytes(b"validFrom", text(&from.text));
    out.set_bytes(b"validTo", text(&to.text));
    let since = seconds(cx, &from)?;
    out.set_bytes(b"validFrom_time_t", since);
    let until = seconds(cx, &to)?;
    out.set_bytes(b"validTo_time_t", until);
    if let Some(alias) = certificate.alias() {
        out.set_bytes(b"alias", text(&alias));
    }
    let (short, long, number) = certificate.signature_kind();
    out.set_bytes(b"signatureTypeSN", text(&short));
    out.set_bytes(b"signatureTypeLN", text(&long));
    out.set_bytes(b"signatureTypeNID", number);
    let mut purposes = PArray::new();
    for purpose in certificate.purposes() {
        let name = if short_names { &purpose.short } else { &purpose.long };
        let entry = [Value::from(purpose.as_subject), Value::from(purpose.as_authority), Value::from(text(name))];
        purposes.set_int(purpose.id, PArray::from_values(entry));
    }
    out.set_bytes(b"purposes", purposes);
    let Some(found) = certificate.extensions() else {
        errors::store(cx);
        return Ok(OrFalse::FALSE);
    };
    let mut extensions = PArray::new();
    for (name, value) in found {
        extensions.set_bytes(&name, text(&value));
    }
    errors::store(cx);
    out.set_bytes(b"extensions", extensions);
    Ok(OrFalse(Some(out)))
}

/// Whom to trust: files and folders of an array, or what the system trusts.
pub fn trusted(cx: &mut Cx, list: &PArray, argument: u32) -> Res<Option<Store>> {
    let Some(store) = Store::new() else {
        errors::store(cx);
        return Ok(None);
    };
    let (mut files, mut folders) = (0, 0);
    for value in list.clone().values() {
        let text = cx.to_string(value.deref())?;
        let Some(path) = arguments::path(cx, text.as_bytes(), Place::items_of(argument))? else { continue };
        let Ok(stat) = std::fs::metadata(&path) else {
            cx.warning([b"Unable to stat ".as_slice(), text.as_bytes()].concat())?;
            continue;
        };
        if stat.is_dir() {
            if store.add_folder(&path) {
                folders += 1;
            } else {
                errors::store(cx);
                cx.warning([b"Error loading directory ".as_slice(), text.as_bytes()].concat())?;
            }
        } else if store.add_file(&path) {
            files += 1;
        } else {
            errors::store(cx);
            cx.warning([b"Error loading file ".as_slice(), text.as_bytes()].concat())?;
        }
    }
    store.add_defaults(files == 0, folders == 0);
    errors::discard();
    Ok(Some(store))
}

pub fn openssl_x509_checkpurpose(
    cx: &mut Cx,
    certificate: &Value,
    purpose: i64,
    ca_info: &PArray,
    untrusted_certificates_file: Option<&PStr>,
) -> Res<Value> {
    let failed = Ok(Value::from(-1i64));
    let untrusted = match untrusted_certificates_file {
        None => None,
        Some(file) => match arguments::certificates_of_file(cx, file, 4)? {
            Some(list) => Chain::new(&list),
            None => return failed,
        },
    };
    let Some(store) = trusted(cx, ca_info, 3)? else { return failed };
    let Some(certificate) = arguments::certificate(cx, certificate, Place::argument(1))? else { return failed };
    let result = store.check(&certificate, untrusted.as_ref(), i32::try_from(purpose).unwrap_or(i32::MAX));
    errors::store(cx);
    Ok(match result {
        0 | 1 => Value::from(result == 1),
        other => Value::from(other),
    })
}

pub fn openssl_get_cert_locations(cx: &mut Cx) -> PArray {
    let area = store::area();
    let path = |path: &std::path::Path| PStr::new(path.as_os_str().as_bytes());
    let mut out = PArray::new();
    out.set_bytes(b"default_cert_file", path(&store::default_file()));
    out.set_bytes(b"default_cert_file_env", "SSL_CERT_FILE");
    out.set_bytes(b"default_cert_dir", path(&store::default_folder()));
    out.set_bytes(b"default_cert_dir_env", "SSL_CERT_DIR");
    out.set_bytes(b"default_private_dir", path(&area.join("private")));
    out.set_bytes(b"default_default_cert_area", path(area));
    for name in ["cafile", "capath"] {
        let setting = PStr::new(cx.ini.str(&format!("openssl.{name}")));
        out.set_bytes(format!("ini_{name}").as_bytes(), setting);
    }
    out
}
