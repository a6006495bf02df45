//! What decides about new keys, requests and certificates: openssl.cnf, and the arrays of options that override it.

use crate::arguments::{self, Place};
use crate::errors;
use crate::sys::key::Kind;
use crate::sys::request::Mask;
use crate::sys::{Cipher, Config, Digest, config, key_data, store};
use jumbo_abi::{Cx, PArray, PStr, Res, Value, stream};
use std::io::Read;
use std::path::PathBuf;

/// Keys with fewer bits are not made.
const BITS_MIN: i64 = 384;

pub struct Wish {
    /// None: the system has no such file, and none was asked for.
    pub config: Option<Config>,
    pub section: Vec<u8>,
    /// None: the key signs without a digest of its own choice.
    pub digest: Option<Digest>,
    pub extensions: Option<Vec<u8>>,
    pub request_extensions: Option<Vec<u8>>,
    bits: i64,
    /// None: there is no such kind.
    kind: Option<Kind>,
    curve: Option<Vec<u8>>,
    encrypt: bool,
    cipher: Option<Cipher>,
    pub mask: Mask,
}

/// openssl.cnf, when no other is named.
pub fn default_path() -> PathBuf {
    let named = std::env::var_os("OPENSSL_CONF").or_else(|| std::env::var_os("SSLEAY_CONF"));
    named.map_or_else(|| store::area().join("openssl.cnf"), PathBuf::from)
}

/// A cipher by a number `OPENSSL_CIPHER_*`.
pub fn cipher_by_number(number: i64) -> Option<Cipher> {
    let name: &[u8] = match number {
        0 => b"rc2-40-cbc",
        1 => b"rc2-cbc",
        2 => b"rc2-64-cbc",
        3 => b"des-cbc",
        4 => b"des-ede3-cbc",
        5 => b"aes-128-cbc",
        6 => b"aes-192-cbc",
        7 => b"aes-256-cbc",
        _ => return None,
    };
    Cipher::by_name(name)
}

fn option(options: Option<&PArray>, name: &[u8]) -> Option<Value> {
    Some(options?.get_bytes(name)?.copy_deref())
}

/// An option counts only when it is of its type.
fn text(options: Option<&PArray>, name: &[u8]) -> Option<PStr> {
    option(options, name)?.as_str().cloned()
}

fn int(options: Option<&PArray>, name: &[u8]) -> Option<i64> {
    option(options, name)?.as_int()
}

impl Wish {
    /// None: the settings cannot be used; the script was told, or the queue of errors says why.
    pub fn read(cx: &mut Cx, options: Option<&PArray>) -> Res<Option<Wish>> {
        let named = text(options, b"config");
        let path = match &named {
            Some(name) => stream::path_buf(cx, name.as_bytes()),
            None => default_path(),
        };
        let config = if named.is_none() && !path.exists() { None } else { Config::load(&path) };
        if config.is_none() && (named.is_some() || path.exists()) {
            errors::store(cx);
            return Ok(None);
        }
        let section = text(options, b"config_section_name").map_or_else(|| b"req".to_vec(), |s| s.as_bytes().to_vec());
        let of_config = |name: &str| config.as_ref().and_then(|c| c.get(Some(&section), name));
        if let Some(config) = &config
            && !add_objects(cx, config)?
        {
            return Ok(None);
        }
        let chosen = |option: &[u8], name: &str| text(options, option).map(|s| s.as_bytes().to_vec()).or_else(|| of_config(name));
        let extensions = chosen(b"x509_extensions", "x509_extensions");
        let request_extensions = chosen(b"req_extensions", "req_extensions");
        let number = |text: Vec<u8>| jumbo_value::number::str_to_int(&text);
        let default_bits = if config.is_some() { 0 } else { 2048 };
        let bits = int(options, b"private_key_bits").or_else(|| of_config("default_bits").map(number)).unwrap_or(default_bits);
        let kind = Kind::of_number(int(options, b"private_key_type").unwrap_or(0));
        let encrypt = match option(options, b"encrypt_key") {
            Some(value) => value.is_true(),
            None => {
                let said = of_config("encrypt_rsa_key").or_else(|| of_config("encrypt_key"));
                said.as_deref() != Some(b"no")
            }
        };
        let cipher = match int(options, b"encrypt_key_cipher") {
            None => None,
            Some(number) => match cipher_by_number(number) {
                Some(cipher) => Some(cipher),
                None => {
                    cx.warning("Unknown cipher algorithm for private key")?;
                    return Ok(None);
                }
            },
        };
        let digest = match chosen(b"digest_alg", "default_md") {
            Some(name) if name == b"null" => None,
            name => name.and_then(|name| Digest::by_name(&name)).or_else(|| Digest::by_name(b"sha256")),
        };
        errors::discard();
        let curve = text(options, b"curve_name").map(|s| s.as_bytes().to_vec());
        if let Some(curve) = &curve
            && !key_data::is_curve(curve)
        {
            errors::store(cx);
            cx.warning(key_data::unknown_curve(curve))?;
            return Ok(None);
        }
        let mask = match of_config("string_mask") {
            None => Mask::DEFAULT,
            Some(said) => match Mask::parse(&said) {
                Some(mask) => mask,
                None => {
                    cx.warning([b"Invalid global string mask setting ".as_slice(), &said].concat())?;
                    return Ok(None);
                }
            },
        };
        if let Some(config) = &config {
            let sections = [("extensions_section", &extensions), ("request_extensions_section", &request_extensions)];
            for (word, section) in sections {
                let Some(section) = section else { continue };
                if !config.describes_extensions(section) {
                    errors::store(cx);
                    let head = format!("Error loading {word} section ");
                    let tail = format!(" of {}", path.display());
                    cx.warning([head.as_bytes(), section, tail.as_bytes()].concat())?;
                    return Ok(None);
                }
            }
        }
        Ok(Some(Wish { config, section, digest, extensions, request_extensions, bits, kind, curve, encrypt, cipher, mask }))
    }

    /// A setting of the section.
    pub fn setting(&self, name: &str) -> Option<Vec<u8>> {
        self.config.as_ref()?.get(Some(&self.section), name)
    }

    /// A new key. None: the script was told, or the queue of errors says why.
    pub fn make_key(&self, cx: &mut Cx) -> Res<Option<crate::sys::Key>> {
        let Some(kind) = self.kind else {
            cx.warning("Unsupported private key type")?;
            return Ok(None);
        };
        if matches!(kind, Kind::Rsa | Kind::Dsa | Kind::Dh) && self.bits < BITS_MIN {
            cx.warning(format!("Private key length must be at least {BITS_MIN} bits, configured to {}", self.bits))?;
            return Ok(None);
        }
        if kind == Kind::Ec && self.curve.is_none() {
            cx.warning("Missing configuration value: \"curve_name\" not set")?;
            return Ok(None);
        }
        let (bits, curve) = (i32::try_from(self.bits).unwrap_or(i32::MAX), self.curve.clone());
        Ok(errors::compute(cx, move || crate::sys::Key::generate(kind, bits, curve.as_deref())))
    }

    /// How a private key is encrypted when it is written with a password.
    pub fn encryption(&self) -> Option<Cipher> {
        if self.encrypt { self.cipher.or_else(|| Cipher::by_name(b"des-ede3-cbc")) } else { None }
    }
}

/// Longest file of names for numbers: what is behind is not looked at.
const OID_FILE_MAX: u64 = 1 << 20;

fn read_start(path: &std::path::Path) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    std::fs::File::open(path)?.take(OID_FILE_MAX).read_to_end(&mut content)?;
    Ok(content)
}

/// Makes the file's own names for numbers known. False: there is something wrong with them; the script was told.
fn add_objects(cx: &mut Cx, settings: &Config) -> Res<bool> {
    if let Some(file) = settings.get(None, "oid_file") {
        let Some(path) = arguments::path(cx, &file, Place::option(0, "oid_file", false))? else { return Ok(false) };
        // A file that cannot be read is passed over, as in PHP.
        let content = read_start(&path).unwrap_or_default();
        for line in content.split(|b| *b == b'\n') {
            let mut words = line.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty());
            if let (Some(number), Some(name)) = (words.next(), words.next()) {
                config::add_object(name, number);
            }
        }
        errors::store(cx);
    }
    let Some(section) = settings.get(None, "oid_section") else { return Ok(true) };
    let Some(objects) = settings.section(&section) else {
        errors::store(cx);
        cx.warning([b"Problem loading oid section ".as_slice(), &section].concat())?;
        return Ok(false);
    };
    for (name, number) in objects {
        if !config::add_object(&name, &number) {
            errors::store(cx);
            cx.warning([b"Problem creating object ".as_slice(), &name, b"=", &number].concat())?;
            return Ok(false);
        }
    }
    errors::discard();
    Ok(true)
}
