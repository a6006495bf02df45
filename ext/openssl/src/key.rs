//! Asymmetric keys: the class, making, reading, exporting, and what they have in common.

use crate::arguments::{self, Part, Place};
use crate::errors;
use crate::options::Wish;
use crate::sys::key::Kind;
use crate::sys::key_data::{self, Failed, Fields};
use crate::sys::{Bio, Key, digest};
use jumbo_abi::{ClassHooks, Cx, OrFalse, PArray, PObject, PRef, PStr, Res, Value};
use jumbo_value::Native;

pub static HOOKS: ClassHooks = ClassHooks {
    not_instantiable: Some("Cannot directly construct OpenSSLAsymmetricKey, use openssl_pkey_new() instead"),
    uncloneable: true,
    compare: Some(|_, a, b| Ok((a == b).then_some(0))),
    ..ClassHooks::NONE
};

struct State {
    key: Key,
    private: bool,
}

impl Native for State {}

/// The key of an object, and whether it has its private part.
pub fn of_object(object: &PObject) -> Option<(Key, bool)> {
    object.native::<State>().map(|state| (state.key.share(), state.private))
}

pub fn new(cx: &mut Cx, key: Key, private: bool) -> Res<PObject> {
    let class = cx.builtin_class(b"opensslasymmetrickey");
    let object = cx.new_object(class)?;
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State { key, private }));
    Ok(object)
}

/// The fields of a key in an array of the script.
struct Given<'a>(&'a PArray);

impl Fields for Given<'_> {
    fn get(&self, name: &str) -> Option<Vec<u8>> {
        Some(self.0.get_bytes(name.as_bytes())?.deref().as_str()?.as_bytes().to_vec())
    }
}

pub fn openssl_pkey_new(cx: &mut Cx, options: Option<&PArray>) -> Res<OrFalse<PObject>> {
    for kind in Kind::ALL {
        let given = options.and_then(|o| o.get_bytes(kind.field().as_bytes())).map(Value::copy_deref);
        let Some(given) = given.as_ref().and_then(Value::as_array) else { continue };
        return match key_data::build(kind, &Given(given)) {
            Ok((key, private)) => {
                errors::discard();
                Ok(OrFalse(Some(new(cx, key, private)?)))
            }
            Err(failed) => {
                errors::store(cx);
                if let Failed::Said(text) = failed {
                    cx.warning(text)?;
                }
                Ok(OrFalse::FALSE)
            }
        };
    }
    let Some(wish) = Wish::read(cx, options)? else { return Ok(OrFalse::FALSE) };
    match wish.make_key(cx)? {
        Some(key) => Ok(OrFalse(Some(new(cx, key, true)?))),
        None => Ok(OrFalse::FALSE),
    }
}

pub fn openssl_pkey_get_private(cx: &mut Cx, private_key: &Value, passphrase: Option<&PStr>) -> Res<OrFalse<PObject>> {
    match arguments::key(cx, private_key, Part::Private, passphrase.map(|p| p.as_bytes()), 1)? {
        Some(key) => Ok(OrFalse(Some(new(cx, key, true)?))),
        None => Ok(OrFalse::FALSE),
    }
}

pub fn openssl_pkey_get_public(cx: &mut Cx, public_key: &Value) -> Res<OrFalse<PObject>> {
    match arguments::key(cx, public_key, Part::Public, None, 1)? {
        Some(key) => Ok(OrFalse(Some(new(cx, key, false)?))),
        None => Ok(OrFalse::FALSE),
    }
}

/// Keys end by themselves.
pub fn openssl_pkey_free(_cx: &mut Cx, _key: &PObject) {}

/// Keys end by themselves.
pub fn openssl_free_key(_cx: &mut Cx, _key: &PObject) {}

pub fn openssl_pkey_get_details(_cx: &mut Cx, key: &PObject) -> OrFalse<PArray> {
    let Some((key, _)) = of_object(key) else { return OrFalse::FALSE };
    let Some(bio) = Bio::memory() else { return OrFalse::FALSE };
    let mut out = PArray::new();
    out.set_bytes(b"bits", key.bits());
    key.write_public(&bio);
    out.set_bytes(b"key", PStr::new(&bio.take()));
    let kind = key.kind();
    if let Some(kind) = kind {
        let mut fields = PArray::new();
        for (name, value) in key.fields(kind) {
            fields.set_bytes(name.as_bytes(), PStr::new(&value));
        }
        out.set_bytes(kind.field().as_bytes(), fields);
    }
    // Parts that a key does not have are no errors.
    errors::discard();
    out.set_bytes(b"type", kind.map_or(-1, |kind| kind as i64));
    OrFalse(Some(out))
}

/// Writes a private key. None: there is none; the script was told, or the queue of errors says why.
fn export(
    cx: &mut Cx,
    key: &Value,
    passphrase: Option<&PStr>,
    options: Option<&PArray>,
    target: impl FnOnce(&mut Cx) -> Res<Option<Bio>>,
) -> Res<Option<Bio>> {
    let key = arguments::key(cx, key, Part::Private, passphrase.map(|p| p.as_bytes()), 1)?;
    let Some(key) = key else {
        cx.warning("Cannot get key from parameter 1")?;
        return Ok(None);
    };
    let Some(bio) = target(cx)? else { return Ok(None) };
    let Some(wish) = Wish::read(cx, options)? else { return Ok(None) };
    let encryption = match passphrase {
        Some(passphrase) => wish.encryption().map(|cipher| (cipher, passphrase.as_bytes())),
        None => None,
    };
    let done = key.write_private(&bio, encryption);
    errors::store(cx);
    Ok(done.then_some(bio))
}

pub fn openssl_pkey_export(
    cx: &mut Cx,
    key: &Value,
    output: &PRef,
    passphrase: Option<&PStr>,
    options: Option<&PArray>,
) -> Res<bool> {
    let Some(bio) = export(cx, key, passphrase, options, |_| Ok(Bio::memory()))? else { return Ok(false) };
    output.set(Value::from(PStr::new(&bio.take())));
    Ok(true)
}

pub fn openssl_pkey_export_to_file(
    cx: &mut Cx,
    key: &Value,
    output_filename: &PStr,
    passphrase: Option<&PStr>,
    options: Option<&PArray>,
) -> Res<bool> {
    let written = export(cx, key, passphrase, options, |cx| {
        let Some(path) = arguments::path(cx, output_filename.as_bytes(), Place::argument(2))? else { return Ok(None) };
        let bio = Bio::file(&path, c"w");
        if bio.is_none() {
            errors::store(cx);
        }
        Ok(bio)
    })?;
    Ok(written.is_some_and(|bio| bio.flush()))
}

pub fn openssl_pkey_derive(cx: &mut Cx, public_key: &Value, private_key: &Value, key_length: i64) -> Res<OrFalse<PStr>> {
    let Ok(length) = usize::try_from(key_length) else {
        return Err(cx.arg_value_error(3, "must be greater than or equal to 0"));
    };
    let Some(private) = arguments::key(cx, private_key, Part::Private, None, 2)? else { return Ok(OrFalse::FALSE) };
    let Some(public) = arguments::key(cx, public_key, Part::Public, None, 1)? else { return Ok(OrFalse::FALSE) };
    let secret = private.derive(&public, length.min(1 << 24));
    if secret.is_none() {
        errors::store(cx);
    }
    Ok(OrFalse(secret.map(|bytes| PStr::new(&bytes))))
}

pub fn openssl_dh_compute_key(cx: &mut Cx, public_key: &PStr, private_key: &PObject) -> Res<OrFalse<PStr>> {
    let Some((key, _)) = of_object(private_key).filter(|(key, _)| key.kind() == Some(Kind::Dh)) else {
        return Ok(OrFalse::FALSE);
    };
    let secret = key.dh_secret(public_key.as_bytes());
    if secret.is_none() {
        errors::store(cx);
    }
    Ok(OrFalse(secret.map(|bytes| PStr::new(&bytes))))
}

pub fn openssl_get_curve_names(_cx: &mut Cx) -> OrFalse<PArray> {
    let names = digest::curve_names();
    OrFalse((!names.is_empty()).then(|| names.iter().map(|name| Value::from(PStr::new(name))).collect()))
}
