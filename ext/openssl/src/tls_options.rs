//! The options `ssl` of a stream context, and settings of a connection made from them.

use crate::arguments::{self, Place};
use crate::sys::store::Store;
use crate::sys::tls::{Context, Policy};
use crate::errors;
use jumbo_abi::stream::{self, Context as StreamContext, OpenOptions, StreamHandle};
use jumbo_abi::{Cx, KeyRef, PArray, PResource, PStr, Res, Value};
use jumbo_value::convert;
use std::path::PathBuf;

/// The options of a stream context, or none.
#[derive(Clone)]
pub struct Options(Option<PResource>);

/// What PHP accepts unless the context says otherwise.
const CIPHERS: &[u8] = b"ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:\
ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES256-GCM-SHA384:DHE-RSA-AES128-GCM-SHA256:\
DHE-DSS-AES128-GCM-SHA256:kEDH+AESGCM:ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA256:\
ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES256-SHA384:\
ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA:ECDHE-ECDSA-AES256-SHA:\
DHE-RSA-AES128-SHA256:DHE-RSA-AES128-SHA:DHE-DSS-AES128-SHA256:DHE-RSA-AES256-SHA256:\
DHE-DSS-AES256-SHA:DHE-RSA-AES256-SHA:AES128-GCM-SHA256:AES256-GCM-SHA384:AES128:AES256:\
HIGH:!SSLv2:!aNULL:!eNULL:!EXPORT:!DES:!MD5:!RC4:!ADH";

/// Bits of the library's options.
const NO_TICKET: u64 = 1 << 14;
const NO_COMPRESSION: u64 = 1 << 17;
const CIPHER_SERVER_PREFERENCE: u64 = 1 << 22;
const SINGLE_ECDH_USE: u64 = 1 << 19;
const SINGLE_DH_USE: u64 = 1 << 20;
const IGNORE_UNEXPECTED_EOF: u64 = 1 << 7;
/// Workarounds that the library recommends, without the one that PHP leaves out (empty fragments).
const ALL: u64 = (1 << 31) | (1 << 4) | (1 << 6) | (1 << 17);

/// TLS 1.0, and the newest.
const OLDEST: i32 = 0x301;
const NEWEST: i32 = 0x304;

impl Options {
    pub fn new(context: Option<PResource>) -> Options {
        Options(context)
    }
    pub fn get(&self, name: &str) -> Option<Value> {
        self.0.as_ref()?.native::<StreamContext>()?.option(b"ssl", name.as_bytes())
    }
    pub fn set(&self, name: &str, value: Value) {
        if let Some(context) = self.0.as_ref().and_then(|c| c.native::<StreamContext>()) {
            context.set_option(b"ssl", name.as_bytes(), value);
        }
    }
    pub fn flag(&self, name: &str, default: bool) -> bool {
        self.get(name).map_or(default, |value| convert::to_bool(&value))
    }
    pub fn text(&self, cx: &mut Cx, name: &str) -> Res<Option<PStr>> {
        match self.get(name) {
            Some(value) if !value.is_null() => cx.to_string(&value).map(Some),
            _ => Ok(None),
        }
    }
    fn int(&self, name: &str) -> Option<i64> {
        self.get(name).filter(|value| !value.is_null()).map(|value| convert::to_int(&value))
    }
    /// Must the other side show a certificate that is trusted?
    pub fn verifies(&self, server: bool) -> bool {
        self.flag("verify_peer", !server)
    }
    pub fn allows_self_signed(&self) -> bool {
        self.flag("allow_self_signed", false)
    }
}

/// The lowest and the highest protocol of the bits `STREAM_CRYPTO_METHOD_*`.
fn versions(method: i64) -> Option<(i32, i32)> {
    let known = [(8, 0x301), (16, 0x302), (32, 0x303), (64, 0x304)].into_iter().filter(|(bit, _)| method & bit != 0);
    let numbers: Vec<i32> = known.map(|(_, version)| version).collect();
    Some((*numbers.first()?, *numbers.last()?))
}

/// The number of one protocol `STREAM_CRYPTO_PROTO_*`.
fn version(proto: i64) -> Option<i32> {
    Some(versions(proto)?.0)
}

/// Settings of a connection. None: they cannot be used; the script was told.
pub fn context(cx: &mut Cx, options: &Options, server: bool, method: i64) -> Res<Option<Context>> {
    let (mut lowest, mut highest) = versions(method).unwrap_or((OLDEST, NEWEST));
    if let Some(proto) = options.int("min_proto_version").and_then(version) {
        lowest = proto;
    }
    if let Some(proto) = options.int("max_proto_version").and_then(version) {
        highest = proto;
    }
    let Some(mut context) = Context::new(server, (lowest, highest)) else {
        errors::store(cx);
        cx.warning("SSL context creation failure")?;
        return Ok(None);
    };
    let mut set = ALL | IGNORE_UNEXPECTED_EOF;
    let mut clear = 0;
    if options.flag("no_ticket", false) {
        set |= NO_TICKET;
    }
    if !options.flag("disable_compression", true) {
        set &= !NO_COMPRESSION;
        clear |= NO_COMPRESSION;
    }
    context.set_options(set, clear);
    if options.verifies(server) {
        if !trust(cx, options, server, &mut context)? {
            return Ok(None);
        }
    } else {
        context.do_not_verify();
    }
    if let Some(passphrase) = options.text(cx, "passphrase")? {
        context.set_password(passphrase.as_bytes());
    }
    let ciphers = options.text(cx, "ciphers")?;
    let list = ciphers.as_ref().map_or(CIPHERS, |c| c.as_bytes());
    if !context.set_ciphers(list) {
        errors::store(cx);
        return Ok(None);
    }
    if let Some(level) = options.int("security_level") {
        if level < 0 {
            cx.warning("Security level must be greater than or equal to 0")?;
        }
        context.set_security_level(i32::try_from(level.max(0)).unwrap_or(i32::MAX));
    }
    if let Some(list) = options.text(cx, "alpn_protocols")? {
        let mut wire = Vec::new();
        for name in list.as_bytes().split(|b| *b == b',') {
            let Ok(len) = u8::try_from(name.len()) else {
                cx.warning("Failed parsing comma-separated TLS ALPN protocol string")?;
                return Ok(None);
            };
            wire.push(len);
            wire.extend_from_slice(name);
        }
        context.set_protocols(wire);
    }
    let (certificate, key) = (options.text(cx, "local_cert")?, options.text(cx, "local_pk")?);
    if let Some(certificate) = certificate
        && !credentials(cx, &context, &certificate, key.as_ref())?
    {
        return Ok(None);
    }
    if server && !server_settings(cx, options, &mut context, method)? {
        return Ok(None);
    }
    Ok(Some(context))
}

/// Whom to trust. False: nobody can be; the script was told.
fn trust(cx: &mut Cx, options: &Options, server: bool, context: &mut Context) -> Res<bool> {
    let setting = |cx: &Cx, name: &str| Some(PStr::new(cx.ini.str(name))).filter(|text| !text.is_empty());
    let file = match options.text(cx, "cafile")? {
        Some(file) => Some(file),
        None => setting(cx, "openssl.cafile"),
    };
    let folder = match options.text(cx, "capath")? {
        Some(folder) => Some(folder),
        None => setting(cx, "openssl.capath"),
    };
    let Some(store) = Store::new() else { return Ok(false) };
    if let Some(file) = &file {
        let plain = file.as_bytes().strip_prefix(b"file://").unwrap_or(file.as_bytes());
        if stream::scheme_of(plain).is_none() {
            let path = stream::path_buf(cx, plain);
            if server && !context.announce_authorities(&path) {
                errors::store(cx);
            }
            if !store.add_file(&path) {
                errors::store(cx);
                if folder.is_none() {
                    let text = [b"Unable to set verify locations `".as_slice(), file.as_bytes(), b"' `(null)'"].concat();
                    cx.warning(text)?;
                    return Ok(false);
                }
            }
        } else if !trust_stream(cx, file, &store)? {
            return Ok(false);
        }
    }
    if let Some(folder) = &folder {
        let path = stream::path_buf(cx, folder.as_bytes());
        store.add_folder(&path);
    }
    if file.is_none() && folder.is_none() {
        store.add_defaults(true, true);
    }
    errors::discard();
    context.set_store(store);
    let depth = options.int("verify_depth").unwrap_or(9);
    context.verify(Policy { allow_self_signed: options.allows_self_signed(), depth: i32::try_from(depth).unwrap_or(9) });
    Ok(true)
}

/// Trusts the certificates of a stream that is not a file. False: the script was told why not.
fn trust_stream(cx: &mut Cx, name: &PStr, store: &Store) -> Res<bool> {
    if let Some((wrapper, _)) = stream::locate(cx, name.as_bytes(), true)?
        && wrapper.is_url()
    {
        cx.warning("remote cafile streams are disabled for security purposes")?;
        return Ok(false);
    }
    let opened = stream::open(cx, name.as_bytes(), b"rb", &OpenOptions { quiet: true, ..OpenOptions::default() })?;
    let Some(handle) = opened.as_ref().and_then(|o| o.native::<StreamHandle>()) else {
        cx.warning([b"failed loading cafile stream: `".as_slice(), name.as_bytes(), b"'"].concat())?;
        return Ok(false);
    };
    let bytes = handle.read_all(cx, None)?.unwrap_or_default();
    let certificates = crate::sys::Bio::reader(bytes.as_bytes()).map(|bio| crate::sys::Certificate::read_all(&bio));
    errors::discard();
    let added = certificates.unwrap_or_default().iter().filter(|certificate| store.add(certificate)).count();
    if added == 0 {
        cx.warning([b"no valid certs found cafile stream: `".as_slice(), name.as_bytes(), b"'"].concat())?;
    }
    Ok(added > 0)
}

/// A file of a certificate or a key. None: the script may not use it, and was told.
fn file(cx: &mut Cx, name: &PStr, what: &str, option: &'static str) -> Res<Option<PathBuf>> {
    let nul = name.as_bytes().contains(&0);
    if nul {
        cx.warning(format!("Path for {option} in ssl stream context option must not contain any null bytes"))?;
    }
    let path = stream::path_buf(cx, name.as_bytes());
    if nul || !stream::allowed(cx, name.as_bytes(), false)? || !path.exists() {
        // The name ends at its NUL here.
        let shown = jumbo_value::string::up_to_nul(name.as_bytes());
        cx.warning([format!("Unable to get real path of {what} file `").as_bytes(), shown, b"'"].concat())?;
        return Ok(None);
    }
    Ok(Some(path))
}

/// The own certificate, and its key, which may stand in the same file. False: they cannot be used; the script was told.
fn credentials(cx: &mut Cx, context: &Context, certificate: &PStr, key: Option<&PStr>) -> Res<bool> {
    let Some(path) = file(cx, certificate, "certificate", "local_cert")? else { return Ok(false) };
    if !context.use_chain(&path) {
        errors::store(cx);
        cx.warning(
            [
                b"Unable to set local cert chain file `".as_slice(),
                certificate.as_bytes(),
                b"'; Check that your cafile/capath settings include details of your certificate and its issuer",
            ]
            .concat(),
        )?;
        return Ok(false);
    }
    let key_name = key.unwrap_or(certificate);
    let key_path = match key {
        Some(key) => match file(cx, key, "private key", "local_pk")? {
            Some(path) => path,
            None => return Ok(false),
        },
        None => path,
    };
    if !context.use_key(&key_path) {
        errors::store(cx);
        cx.warning([b"Unable to set private key file `".as_slice(), key_name.as_bytes(), b"'"].concat())?;
        return Ok(false);
    }
    if !context.key_matches() {
        errors::store(cx);
        cx.warning("Private key does not match certificate!")?;
    }
    Ok(true)
}

/// What only servers have. False: it cannot be used; the script was told.
fn server_settings(cx: &mut Cx, options: &Options, context: &mut Context, method: i64) -> Res<bool> {
    let mut set = 0;
    if options.flag("honor_cipher_order", true) {
        set |= CIPHER_SERVER_PREFERENCE;
    }
    if options.flag("single_dh_use", true) {
        set |= SINGLE_DH_USE;
    }
    if options.flag("single_ecdh_use", true) {
        set |= SINGLE_ECDH_USE;
    }
    context.set_options(set, 0);
    match options.text(cx, "dh_param")? {
        Some(name) => {
            let Some(path) = arguments::path(cx, name.as_bytes(), Place::option(0, "dh_param", false))? else { return Ok(false) };
            if !context.use_dh(&path) {
                errors::store(cx);
                cx.warning("Failed assigning DH params")?;
                return Ok(false);
            }
        }
        None => context.automatic_dh(),
    }
    if let Some(curve) = options.text(cx, "ecdh_curve")?
        && !context.set_curves(curve.as_bytes())
    {
        errors::store(cx);
        cx.warning([b"Invalid elliptic curve: ".as_slice(), curve.as_bytes()].concat())?;
        return Ok(false);
    }
    match options.get("SNI_server_certs") {
        Some(certificates) if options.flag("SNI_enabled", true) => names(cx, context, &certificates, method),
        _ => Ok(true),
    }
}

/// Certificates by name. False: they cannot be used; the script was told.
fn names(cx: &mut Cx, context: &mut Context, certificates: &Value, method: i64) -> Res<bool> {
    let Some(list) = certificates.deref().as_array().cloned() else {
        cx.warning("SNI_server_certs requires an array mapping host names to cert paths")?;
        return Ok(false);
    };
    if list.is_empty() {
        cx.warning("SNI_server_certs host cert array must not be empty")?;
        return Ok(false);
    }
    let (lowest, highest) = versions(method).unwrap_or((OLDEST, NEWEST));
    let mut made = Vec::new();
    for (name, value) in list.iter() {
        let KeyRef::Str(name) = name else {
            cx.warning("SNI_server_certs array requires string host name keys")?;
            return Ok(false);
        };
        let Some(own) = Context::new(true, (lowest, highest)) else {
            errors::store(cx);
            return Ok(false);
        };
        let value = value.copy_deref();
        let (certificate, key) = match value.as_array() {
            Some(pair) => match pair_of(cx, pair)? {
                Some(pair) => pair,
                None => return Ok(false),
            },
            None => (cx.to_string(&value)?, None),
        };
        if !name_credentials(cx, &own, &certificate, key.as_ref())? {
            return Ok(false);
        }
        made.push((name.as_bytes().to_vec(), own));
    }
    context.set_names(made);
    Ok(true)
}

fn pair_of(cx: &mut Cx, pair: &PArray) -> Res<Option<(PStr, Option<PStr>)>> {
    let mut texts = Vec::new();
    for name in ["local_cert", "local_pk"] {
        let Some(value) = pair.get_bytes(name.as_bytes()).map(Value::copy_deref) else {
            cx.warning(format!("{name} not present in the array"))?;
            return Ok(None);
        };
        texts.push(cx.to_string(&value)?);
    }
    let key = texts.pop();
    Ok(texts.pop().map(|certificate| (certificate, key)))
}

fn name_credentials(cx: &mut Cx, own: &Context, certificate: &PStr, key: Option<&PStr>) -> Res<bool> {
    let mut paths = Vec::new();
    for (name, what) in [(Some(certificate), "cert chain"), (key, "private key")] {
        let Some(name) = name else { continue };
        let usable = !name.as_bytes().contains(&0) && stream::allowed(cx, name.as_bytes(), false)?;
        let path = stream::path_buf(cx, name.as_bytes());
        if !usable || !path.exists() {
            // Stock's words, blanks included.
            let tail: &[u8] = match (what, key) {
                ("private key", _) => b"';  could not open file",
                (_, Some(_)) => b"'; could not open file",
                _ => b"'; file not found",
            };
            cx.warning([b"Failed setting local ".as_slice(), what.as_bytes(), b" file `", name.as_bytes(), tail].concat())?;
            return Ok(false);
        }
        paths.push(path);
    }
    let key_path = paths.last().cloned().unwrap_or_default();
    if !paths.first().is_some_and(|path| own.use_chain(path)) {
        errors::store(cx);
        cx.warning(
            [
                b"Failed setting local cert file `".as_slice(),
                certificate.as_bytes(),
                b"'; Check that your cafile/capath settings include details of your certificate and its issuer",
            ]
            .concat(),
        )?;
        return Ok(false);
    }
    if !own.use_key(&key_path) {
        errors::store(cx);
        let name = key.unwrap_or(certificate);
        cx.warning([b"Failed setting private key from file `".as_slice(), name.as_bytes(), b"'"].concat())?;
        return Ok(false);
    }
    Ok(true)
}
