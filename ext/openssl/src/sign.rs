//! Signatures, and RSA with one side's key.

use crate::arguments::{self, Part};
use crate::sys::key::Operation;
use crate::sys::{Digest, Key};
use crate::{digest, errors};
use jumbo_abi::{Cx, PRef, PStr, Res, Value, View};

/// The digest of a signature. The inner None: the key needs none; the outer: there is none, and the script was told.
fn choose(cx: &mut Cx, key: &Key, algorithm: &Value) -> Res<Option<Option<Digest>>> {
    let (found, none_wanted) = match algorithm.view_deref() {
        View::Str(name) => (Digest::by_name(name.as_bytes()), false),
        View::Int(number) => (digest::by_number(number), number == 0),
        _ => (None, false),
    };
    if found.is_none() && !(none_wanted && key.signs_without_digest()) {
        errors::discard();
        cx.warning("Unknown digest algorithm")?;
        return Ok(None);
    }
    Ok(Some(found))
}

pub fn openssl_sign(cx: &mut Cx, data: &PStr, signature: &PRef, private_key: &Value, algorithm: &Value) -> Res<bool> {
    let message = "Supplied key param cannot be coerced into a private key";
    let Some(key) = arguments::needed_key(cx, private_key, Part::Private, 3, message)? else { return Ok(false) };
    let Some(digest) = choose(cx, &key, algorithm)? else { return Ok(false) };
    match key.sign(data.as_bytes(), digest) {
        Some(bytes) => {
            signature.set(Value::from(PStr::new(&bytes)));
            Ok(true)
        }
        None => {
            errors::store(cx);
            Ok(false)
        }
    }
}

pub fn openssl_verify(cx: &mut Cx, data: &PStr, signature: &PStr, public_key: &Value, algorithm: &Value) -> Res<Value> {
    arguments::check_length(cx, signature.len(), 2)?;
    let message = "Supplied key param cannot be coerced into a public key";
    let Some(key) = arguments::needed_key(cx, public_key, Part::Public, 3, message)? else { return Ok(Value::from(false)) };
    let Some(digest) = choose(cx, &key, algorithm)? else { return Ok(Value::from(false)) };
    let result = key.verify(data.as_bytes(), signature.as_bytes(), digest);
    errors::store(cx);
    Ok(Value::from(result))
}

fn crypt(cx: &mut Cx, operation: Operation, data: &PStr, output: &PRef, key: &Value, padding: i64, message: &str) -> Res<bool> {
    let part = match operation {
        Operation::PrivateEncrypt | Operation::PrivateDecrypt => Part::Private,
        Operation::PublicEncrypt | Operation::PublicDecrypt => Part::Public,
    };
    arguments::check_length(cx, data.len(), 1)?;
    let Some(key) = arguments::needed_key(cx, key, part, 3, message)? else { return Ok(false) };
    // A padding beyond the library's numbers is one that it does not know.
    match key.crypt(operation, data.as_bytes(), i32::try_from(padding).unwrap_or(-1)) {
        Some(bytes) => {
            output.set(Value::from(PStr::new(&bytes)));
            Ok(true)
        }
        None => {
            errors::store(cx);
            Ok(false)
        }
    }
}

pub fn openssl_private_encrypt(cx: &mut Cx, data: &PStr, encrypted_data: &PRef, private_key: &Value, padding: i64) -> Res<bool> {
    crypt(cx, Operation::PrivateEncrypt, data, encrypted_data, private_key, padding, "key param is not a valid private key")
}

pub fn openssl_private_decrypt(cx: &mut Cx, data: &PStr, decrypted_data: &PRef, private_key: &Value, padding: i64) -> Res<bool> {
    crypt(cx, Operation::PrivateDecrypt, data, decrypted_data, private_key, padding, "key parameter is not a valid private key")
}

pub fn openssl_public_encrypt(cx: &mut Cx, data: &PStr, encrypted_data: &PRef, public_key: &Value, padding: i64) -> Res<bool> {
    crypt(cx, Operation::PublicEncrypt, data, encrypted_data, public_key, padding, "key parameter is not a valid public key")
}

pub fn openssl_public_decrypt(cx: &mut Cx, data: &PStr, decrypted_data: &PRef, public_key: &Value, padding: i64) -> Res<bool> {
    crypt(cx, Operation::PublicDecrypt, data, decrypted_data, public_key, padding, "key parameter is not a valid public key")
}
