//! Signed public keys and challenges.

use crate::sys::spki::{Failed, Spki};
use crate::sys::{Bio, Key};
use crate::{digest, errors, key};
use jumbo_abi::{Cx, OrFalse, PObject, PStr, Res};

pub fn openssl_spki_new(cx: &mut Cx, private_key: &PObject, challenge: &PStr, digest_algo: i64) -> Res<OrFalse<PStr>> {
    let Some((key, true)) = key::of_object(private_key) else {
        cx.warning("Supplied key param is a public key")?;
        cx.warning("Unable to use supplied private key")?;
        return Ok(OrFalse::FALSE);
    };
    let Some(digest) = digest::by_number(digest_algo) else {
        cx.warning("Unknown digest algorithm")?;
        return Ok(OrFalse::FALSE);
    };
    let why = match Spki::new(&key, challenge.as_bytes(), digest) {
        Ok(spki) => match spki.encode() {
            Some(text) => return Ok(OrFalse(Some(PStr::concat2(b"SPKAC=", &text)))),
            None => "Unable to encode SPKAC",
        },
        Err(Failed::Memory) => "Unable to create new SPKAC",
        Err(Failed::Challenge) => "Unable to set challenge data",
        Err(Failed::Key) => "Unable to embed public key",
        Err(Failed::Sign) => "Unable to sign with specified digest algorithm",
    };
    errors::store(cx);
    cx.warning(why)?;
    Ok(OrFalse::FALSE)
}

/// Reads a text without its white space; the script is told `message` when it is none.
fn decode(cx: &mut Cx, spki: &PStr, message: &str) -> Res<Option<Spki>> {
    let text: Vec<u8> = spki.as_bytes().iter().copied().filter(|b| !matches!(b, b' ' | b'\n' | b'\r' | b'\t')).collect();
    let spki = Spki::decode(&text);
    if spki.is_none() {
        errors::store(cx);
        cx.warning(message)?;
    }
    Ok(spki)
}

fn decode_with_key(cx: &mut Cx, spki: &PStr) -> Res<Option<(Spki, Key)>> {
    let Some(spki) = decode(cx, spki, "Unable to decode supplied SPKAC")? else { return Ok(None) };
    let key = spki.public_key();
    if key.is_none() {
        errors::store(cx);
        cx.warning("Unable to acquire signed public key")?;
    }
    Ok(key.map(|key| (spki, key)))
}

pub fn openssl_spki_verify(cx: &mut Cx, spki: &PStr) -> Res<bool> {
    let Some((spki, key)) = decode_with_key(cx, spki)? else { return Ok(false) };
    let fine = spki.verify(&key);
    errors::store(cx);
    Ok(fine)
}

pub fn openssl_spki_export(cx: &mut Cx, spki: &PStr) -> Res<OrFalse<PStr>> {
    let Some((_, key)) = decode_with_key(cx, spki)? else { return Ok(OrFalse::FALSE) };
    let bio = Bio::memory().filter(|bio| key.write_public(bio));
    errors::store(cx);
    Ok(OrFalse(bio.map(|bio| PStr::new(&bio.take()))))
}

pub fn openssl_spki_export_challenge(cx: &mut Cx, spki: &PStr) -> Res<OrFalse<PStr>> {
    let spki = decode(cx, spki, "Unable to decode SPKAC")?;
    Ok(OrFalse(spki.map(|spki| PStr::new(&spki.challenge()))))
}
