//! Keys from the numbers that they consist of, and into them.

use super::key::Kind;
use super::{Key, Number, handle, raw, text_arg};
use std::ffi::{CStr, c_int};
use std::ptr::{NonNull, null_mut};

handle!(ParamBuilder, raw::OSSL_PARAM_BLD, raw::OSSL_PARAM_BLD_free);
handle!(Group, raw::EC_GROUP, raw::EC_GROUP_free);
handle!(Point, raw::EC_POINT, raw::EC_POINT_free);
handle!(KeyContext, raw::EVP_PKEY_CTX, raw::EVP_PKEY_CTX_free);

/// Named parameters. What was pushed is kept until they are used.
struct Params {
    builder: ParamBuilder,
    numbers: Vec<Number>,
    bytes: Vec<Vec<u8>>,
}

/// Parameters in the library's form.
struct Made(NonNull<raw::OSSL_PARAM>);

impl Drop for Made {
    fn drop(&mut self) {
        // SAFETY: made by the builder, freed once.
        unsafe { raw::OSSL_PARAM_free(self.0.as_ptr()) };
    }
}

impl Params {
    fn new() -> Option<Params> {
        // SAFETY: no arguments.
        let builder = ParamBuilder::own(unsafe { raw::OSSL_PARAM_BLD_new() })?;
        Some(Params { builder, numbers: Vec::new(), bytes: Vec::new() })
    }
    fn number(&mut self, name: &'static CStr, number: Number) -> Option<()> {
        // SAFETY: the builder remembers the number, which is kept as long as the builder.
        let done = unsafe { raw::OSSL_PARAM_BLD_push_BN(self.builder.ptr(), name.as_ptr(), number.ptr()) };
        self.numbers.push(number);
        (done == 1).then_some(())
    }
    fn octets(&mut self, name: &'static CStr, bytes: Vec<u8>) -> Option<()> {
        // SAFETY: the builder remembers the place of the bytes, which do not move in the vector that keeps them.
        let done = unsafe { raw::OSSL_PARAM_BLD_push_octet_string(self.builder.ptr(), name.as_ptr(), bytes.as_ptr().cast(), bytes.len()) };
        self.bytes.push(bytes);
        (done == 1).then_some(())
    }
    fn text(&mut self, name: &'static CStr, text: Vec<u8>) -> Option<()> {
        // SAFETY: as above.
        let done = unsafe { raw::OSSL_PARAM_BLD_push_utf8_string(self.builder.ptr(), name.as_ptr(), text.as_ptr().cast(), text.len()) };
        self.bytes.push(text);
        (done == 1).then_some(())
    }
    fn make(&self) -> Option<Made> {
        // SAFETY: everything that was pushed is still there.
        NonNull::new(unsafe { raw::OSSL_PARAM_BLD_to_param(self.builder.ptr()) }).map(Made)
    }
    fn key(&self, kind: Kind, selection: c_int) -> Option<Key> {
        let made = self.make()?;
        // SAFETY: the context and the parameters live; the library makes the key.
        unsafe {
            let context = KeyContext::own(raw::EVP_PKEY_CTX_new_from_name(null_mut(), kind.library_name().as_ptr(), std::ptr::null()))?;
            let mut key = null_mut();
            if raw::EVP_PKEY_fromdata_init(context.ptr()) != 1
                || raw::EVP_PKEY_fromdata(context.ptr(), &mut key, selection, made.0.as_ptr()) != 1
            {
                return None;
            }
            Key::own(key)
        }
    }
}

/// What is selected of a key: its parameters; with the public part; with the private part.
const PARAMETERS: c_int = 0x84;
const PUBLIC: c_int = 0x86;
const PAIR: c_int = 0x87;

/// Why there is no key.
pub enum Failed {
    /// The script is told this.
    Said(Vec<u8>),
    /// What the library says stands in the error queue.
    Library,
}

/// The fields of a key, by PHP's names.
pub trait Fields {
    fn get(&self, name: &str) -> Option<Vec<u8>>;
}

fn number(fields: &dyn Fields, name: &str) -> Option<Number> {
    Number::of(&fields.get(name)?)
}

/// A key, and whether it has its private part.
pub fn build(kind: Kind, fields: &dyn Fields) -> Result<(Key, bool), Failed> {
    match kind {
        Kind::Rsa => rsa(fields).ok_or(Failed::Library),
        Kind::Dsa | Kind::Dh => with_group(kind, fields).ok_or(Failed::Library),
        Kind::Ec => curve(fields),
        _ => plain(kind, fields).ok_or(Failed::Library),
    }
}

fn rsa(fields: &dyn Fields) -> Option<(Key, bool)> {
    let mut params = Params::new()?;
    params.number(c"n", number(fields, "n")?)?;
    params.number(c"d", number(fields, "d")?)?;
    for (name, field) in [
        (c"e", "e"),
        (c"rsa-factor1", "p"),
        (c"rsa-factor2", "q"),
        (c"rsa-exponent1", "dmp1"),
        (c"rsa-exponent2", "dmq1"),
        (c"rsa-coefficient1", "iqmp"),
    ] {
        if let Some(value) = number(fields, field) {
            params.number(name, value)?;
        }
    }
    Some((params.key(Kind::Rsa, PAIR)?, true))
}

/// DSA and Diffie-Hellman: without a public key one is made.
fn with_group(kind: Kind, fields: &dyn Fields) -> Option<(Key, bool)> {
    let mut params = Params::new()?;
    params.number(c"p", number(fields, "p")?)?;
    params.number(c"g", number(fields, "g")?)?;
    match number(fields, "q") {
        Some(q) => params.number(c"q", q)?,
        None if kind == Kind::Dsa => return None,
        None => {}
    }
    let (mut public, private) = (number(fields, "pub_key"), number(fields, "priv_key"));
    if public.is_none() && kind == Kind::Dh && private.is_some() {
        let (base, modulus) = (number(fields, "g")?, number(fields, "p")?);
        public = Some(power(&base, private.as_ref()?, &modulus)?);
    }
    let Some(public) = public else {
        return Some((params.key(kind, PARAMETERS)?.generate_like()?, true));
    };
    params.number(c"pub", public)?;
    let Some(private) = private else {
        return Some((params.key(kind, PUBLIC)?, false));
    };
    params.number(c"priv", private)?;
    Some((params.key(kind, PAIR)?, true))
}

handle!(NumberContext, raw::BN_CTX, raw::BN_CTX_free);

fn power(base: &Number, exponent: &Number, modulus: &Number) -> Option<Number> {
    // SAFETY: all numbers live; the result is ours. The exponent is secret.
    unsafe {
        let out = Number::own(raw::BN_new())?;
        let context = NumberContext::own(raw::BN_CTX_new())?;
        raw::BN_set_flags(exponent.ptr(), raw::BN_FLG_CONSTTIME);
        (raw::BN_mod_exp(out.ptr(), base.ptr(), exponent.ptr(), modulus.ptr(), context.ptr()) == 1).then_some(out)
    }
}

fn curve(fields: &dyn Fields) -> Result<(Key, bool), Failed> {
    let mut params = Params::new().ok_or(Failed::Library)?;
    describe_curve(fields, &mut params)?;
    finish_curve(fields, params).ok_or(Failed::Library)
}

/// Does the library know a curve of this name?
pub fn is_curve(name: &[u8]) -> bool {
    // SAFETY: the name ends with NUL.
    text_arg(name).is_some_and(|name| unsafe { raw::OBJ_sn2nid(name.as_ptr()) } != raw::NID_undef)
}

pub fn unknown_curve(name: &[u8]) -> Vec<u8> {
    [b"Unknown elliptic curve (short) name ".as_slice(), name].concat()
}

fn describe_curve(fields: &dyn Fields, params: &mut Params) -> Result<(), Failed> {
    if let Some(name) = fields.get("curve_name") {
        if !is_curve(&name) {
            return Err(Failed::Said(unknown_curve(&name)));
        }
        return params.text(c"group", name).ok_or(Failed::Library);
    }
    let said = |text: &str| Failed::Said(text.as_bytes().to_vec());
    let parts = ["p", "a", "b", "order"].map(|name| number(fields, name));
    if parts.iter().all(Option::is_none) {
        return Err(said("Missing params: curve_name"));
    }
    let [Some(p), Some(a), Some(b), Some(order)] = parts else {
        return Err(said("Missing params: curve_name or p, a, b, order"));
    };
    let size = p.to_bytes().len();
    let generator = match (fields.get("generator"), fields.get("g_x"), fields.get("g_y")) {
        (Some(generator), _, _) => generator,
        (None, Some(x), Some(y)) => uncompressed(&x, &y, size),
        _ => return Err(said("Missing params: generator or g_x and g_y")),
    };
    let push = || {
        params.text(c"field-type", b"prime-field".to_vec())?;
        params.number(c"p", p)?;
        params.number(c"a", a)?;
        params.number(c"b", b)?;
        params.number(c"order", order)?;
        params.octets(c"generator", generator)?;
        if let Some(cofactor) = number(fields, "cofactor") {
            params.number(c"cofactor", cofactor)?;
        }
        if let Some(seed) = fields.get("seed") {
            params.octets(c"seed", seed)?;
        }
        Some(())
    };
    push().ok_or(Failed::Library)
}

/// A point as the library reads it.
fn uncompressed(x: &[u8], y: &[u8], size: usize) -> Vec<u8> {
    let mut out = vec![4];
    for part in [x, y] {
        let part = &part[part.iter().take_while(|b| **b == 0).count()..];
        out.resize(out.len() + size.saturating_sub(part.len()), 0);
        out.extend_from_slice(part);
    }
    out
}

fn finish_curve(fields: &dyn Fields, mut params: Params) -> Option<(Key, bool)> {
    let private = number(fields, "d");
    let group = {
        let made = params.make()?;
        // SAFETY: the parameters live for the call.
        Group::own(unsafe { raw::EC_GROUP_new_from_params(made.0.as_ptr(), null_mut(), null_mut()) })?
    };
    let public = match (fields.get("x"), fields.get("y"), &private) {
        (Some(x), Some(y), _) => {
            // SAFETY: the group lives.
            let bits = unsafe { raw::EC_GROUP_get_degree(group.ptr()) };
            uncompressed(&x, &y, usize::try_from((bits + 7) / 8).ok()?)
        }
        (_, _, Some(private)) => public_point(&group, private)?,
        _ => return Some((params.key(Kind::Ec, PARAMETERS)?.generate_like()?, true)),
    };
    params.octets(c"pub", public)?;
    let Some(private) = private else {
        return Some((params.key(Kind::Ec, PUBLIC)?, false));
    };
    params.number(c"priv", private)?;
    Some((params.key(Kind::Ec, PAIR)?, true))
}

/// The public point of a private number.
fn public_point(group: &Group, private: &Number) -> Option<Vec<u8>> {
    // SAFETY: all live; the buffer is as long as the library says that the point is.
    unsafe {
        let point = Point::own(raw::EC_POINT_new(group.ptr()))?;
        if raw::EC_POINT_mul(group.ptr(), point.ptr(), private.ptr(), std::ptr::null(), std::ptr::null(), null_mut()) != 1 {
            return None;
        }
        let form = raw::point_conversion_form_t::POINT_CONVERSION_UNCOMPRESSED;
        let len = raw::EC_POINT_point2oct(group.ptr(), point.ptr(), form, null_mut(), 0, null_mut());
        let mut out = vec![0; len];
        let len = raw::EC_POINT_point2oct(group.ptr(), point.ptr(), form, out.as_mut_ptr(), len, null_mut());
        (len == out.len() && len > 0).then_some(out)
    }
}

fn plain(kind: Kind, fields: &dyn Fields) -> Option<(Key, bool)> {
    let number = kind.raw_number()?;
    // SAFETY: the bytes have their length; the library checks that it is right.
    unsafe {
        if let Some(private) = fields.get("priv_key") {
            let key = raw::EVP_PKEY_new_raw_private_key(number, null_mut(), private.as_ptr(), private.len());
            return Some((Key::own(key)?, true));
        }
        let public = fields.get("pub_key")?;
        let key = raw::EVP_PKEY_new_raw_public_key(number, null_mut(), public.as_ptr(), public.len());
        Some((Key::own(key)?, false))
    }
}

impl Key {
    fn number(&self, name: &CStr) -> Option<Vec<u8>> {
        let mut number = null_mut();
        // SAFETY: the key lives, the name ends with NUL; the library makes the number.
        let done = unsafe { raw::EVP_PKEY_get_bn_param(self.ptr(), name.as_ptr(), &mut number) };
        let number = Number::own(number)?;
        (done == 1).then(|| number.to_bytes())
    }

    /// Name and number of the curve.
    fn curve(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let mut name = [0u8; 80];
        let mut len = 0;
        // SAFETY: the buffers have the lengths that are said; the library ends texts with NUL.
        unsafe {
            if raw::EVP_PKEY_get_utf8_string_param(self.ptr(), c"group".as_ptr(), name.as_mut_ptr().cast(), name.len(), &mut len) != 1 {
                return None;
            }
            let text = CStr::from_bytes_until_nul(&name).ok()?;
            let nid = raw::OBJ_txt2nid(text.as_ptr());
            if nid == raw::NID_undef {
                return None;
            }
            let short = super::borrowed_text(raw::OBJ_nid2sn(nid))?;
            Some((short, super::x509::object_number(raw::OBJ_nid2obj(nid))?))
        }
    }

    /// The fields of the key, by PHP's names, in PHP's order.
    pub fn fields(&self, kind: Kind) -> Vec<(&'static str, Vec<u8>)> {
        let numbers: &[(&'static str, &CStr)] = match kind {
            Kind::Rsa => &[
                ("n", c"n"),
                ("e", c"e"),
                ("d", c"d"),
                ("p", c"rsa-factor1"),
                ("q", c"rsa-factor2"),
                ("dmp1", c"rsa-exponent1"),
                ("dmq1", c"rsa-exponent2"),
                ("iqmp", c"rsa-coefficient1"),
            ],
            Kind::Dsa => &[("p", c"p"), ("q", c"q"), ("g", c"g"), ("priv_key", c"priv"), ("pub_key", c"pub")],
            Kind::Dh => &[("p", c"p"), ("g", c"g"), ("priv_key", c"priv"), ("pub_key", c"pub")],
            Kind::Ec => &[("x", c"qx"), ("y", c"qy"), ("d", c"priv")],
            _ => return self.plain_fields(),
        };
        let mut fields = Vec::new();
        if kind == Kind::Ec
            && let Some((name, number)) = self.curve()
        {
            fields.push(("curve_name", name));
            fields.push(("curve_oid", number));
        }
        fields.extend(numbers.iter().filter_map(|(field, name)| Some((*field, self.number(name)?))));
        fields
    }

    fn plain_fields(&self) -> Vec<(&'static str, Vec<u8>)> {
        type Get = unsafe extern "C" fn(*const raw::EVP_PKEY, *mut u8, *mut usize) -> c_int;
        let gets: [(&str, Get); 2] = [("priv_key", raw::EVP_PKEY_get_raw_private_key), ("pub_key", raw::EVP_PKEY_get_raw_public_key)];
        let mut fields = Vec::new();
        for (name, get) in gets {
            let mut out = vec![0; 64];
            let mut len = out.len();
            // SAFETY: the buffer has `len` bytes; the library refuses when it is too short.
            if unsafe { get(self.ptr(), out.as_mut_ptr(), &mut len) } == 1 {
                out.truncate(len);
                fields.push((name, out));
            }
        }
        fields
    }

    /// What this private Diffie-Hellman key and a public number have in common.
    pub fn dh_secret(&self, public: &[u8]) -> Option<Vec<u8>> {
        let mut params = Params::new()?;
        params.number(c"p", Number::of(&self.number(c"p")?)?)?;
        params.number(c"g", Number::of(&self.number(c"g")?)?)?;
        params.number(c"pub", Number::of(public)?)?;
        let other = params.key(Kind::Dh, PUBLIC)?;
        self.derive(&other, 0)
    }
}
