//! Arguments that name a key, a certificate, a request or a file.
//!
//! A text that begins with `file://` names a file, any other is PEM itself.

use crate::sys::{Bio, Certificate, Key, Request};
use crate::{csr, errors, key, x509};
use jumbo_abi::{Cx, Level, PStr, Res, Value, stream};
use std::path::PathBuf;

/// Where a text stands, for messages.
#[derive(Clone, Copy)]
pub struct Place {
    /// From 1; 0: in no argument.
    pub argument: u32,
    pub in_array: bool,
    pub option: Option<&'static str>,
}

impl Place {
    pub fn argument(n: u32) -> Place {
        Place { argument: n, in_array: false, option: None }
    }
    pub fn items_of(n: u32) -> Place {
        Place { argument: n, in_array: true, option: None }
    }
    pub fn option(n: u32, option: &'static str, in_array: bool) -> Place {
        Place { argument: n, in_array, option: Some(option) }
    }
    fn message(self, what: &str) -> String {
        match (self.option, self.in_array) {
            (Some(option), true) => format!("option {option} array item {what}"),
            (Some(option), false) => format!("option {option} {what}"),
            (None, true) => format!("array item {what}"),
            (None, false) => what.to_owned(),
        }
    }
}

const FILE: &[u8] = b"file://";
/// The longest path of the system.
const PATH_MAX: usize = 4096;

/// The name of argument `n` of the function that runs.
fn argument_name(cx: &Cx, n: u32) -> Vec<u8> {
    let function = cx.engine().active_function(cx);
    function.map(|f| f.param_name((n as usize).saturating_sub(1)).to_vec()).unwrap_or_default()
}

/// A path that the script may use. None: it may not; the script was told.
pub fn path(cx: &mut Cx, text: &[u8], place: Place) -> Res<Option<PathBuf>> {
    let nul = text.contains(&0);
    let long = text.is_empty() || text.len() >= PATH_MAX;
    if nul || long && !text.is_empty() {
        let what = if nul { "must not contain any null bytes" } else { "must be a valid file path" };
        if place.argument == 0 {
            let label = if place.in_array { "array item" } else { "option" };
            cx.warning(format!("Path for {} {label} {what}", place.option.unwrap_or("unknown")))?;
        } else if nul {
            return Err(cx.arg_value_error(place.argument, place.message(what)));
        } else {
            let name = argument_name(cx, place.argument);
            stream::report(cx, Level::Warning, &name, place.message(what).as_bytes())?;
        }
        return Ok(None);
    }
    if !stream::allowed(cx, text, false)? {
        return Ok(None);
    }
    // An empty path is that of no file; the working directory must not take its place.
    Ok(Some(if text.is_empty() { PathBuf::new() } else { stream::path_buf(cx, text) }))
}

/// PEM that an argument has or names. None: there is none; the script was told, or the queue of errors says why.
fn material(cx: &mut Cx, text: &[u8], place: Place) -> Res<Option<Bio>> {
    let bio = match text.strip_prefix(FILE).filter(|rest| !rest.is_empty()) {
        Some(rest) => match path(cx, rest, place)? {
            Some(path) => Bio::file(&path, c"r"),
            None => return Ok(None),
        },
        None => Bio::reader(text),
    };
    if bio.is_none() {
        errors::store(cx);
    }
    Ok(bio)
}

fn certificate_of(cx: &mut Cx, text: &[u8], place: Place) -> Res<Option<Certificate>> {
    let Some(bio) = material(cx, text, place)? else { return Ok(None) };
    let certificate = Certificate::read(&bio);
    if certificate.is_none() {
        errors::store(cx);
    }
    Ok(certificate)
}

/// A certificate: an object, or text. Other values become text.
pub fn certificate(cx: &mut Cx, value: &Value, place: Place) -> Res<Option<Certificate>> {
    if let Some(object) = value.deref().as_object()
        && let Some(certificate) = x509::of_object(object)
    {
        return Ok(Some(certificate));
    }
    let text = cx.to_string(value.deref())?;
    certificate_of(cx, text.as_bytes(), place)
}

/// As [`certificate`]; the script is told when there is none.
pub fn needed_certificate(cx: &mut Cx, value: &Value, place: Place) -> Res<Option<Certificate>> {
    let found = certificate(cx, value, place)?;
    if found.is_none() {
        cx.warning("X.509 Certificate cannot be retrieved")?;
    }
    Ok(found)
}

/// A request: an object, or text.
pub fn request(cx: &mut Cx, value: &Value, place: Place) -> Res<Option<std::rc::Rc<Request>>> {
    if let Some(object) = value.deref().as_object()
        && let Some(request) = csr::of_object(object)
    {
        return Ok(Some(request));
    }
    let text = cx.to_string(value.deref())?;
    let Some(bio) = material(cx, text.as_bytes(), place)? else { return Ok(None) };
    let request = Request::read(&bio);
    if request.is_none() {
        errors::store(cx);
    }
    Ok(request.map(std::rc::Rc::new))
}

/// Which part of a key is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Private,
    Public,
}

/// A key: an object, a certificate, text, or `[key, password]`.
pub fn key(cx: &mut Cx, value: &Value, part: Part, password: Option<&[u8]>, argument: u32) -> Res<Option<Key>> {
    let value = value.copy_deref();
    let Some(pair) = value.as_array() else { return single_key(cx, &value, part, password, argument) };
    let (Some(inner), Some(phrase)) = (pair.get_int(0), pair.get_int(1)) else {
        return Err(cx.value_error("Key array must be of the form array(0 => key, 1 => phrase)"));
    };
    let (inner, phrase) = (inner.copy_deref(), phrase.copy_deref());
    let phrase = cx.to_string(&phrase)?;
    single_key(cx, &inner, part, Some(phrase.as_bytes()), argument)
}

fn single_key(cx: &mut Cx, value: &Value, part: Part, password: Option<&[u8]>, argument: u32) -> Res<Option<Key>> {
    if let Some(object) = value.as_object() {
        if let Some((key, private)) = key::of_object(object) {
            return match (part, private) {
                (Part::Private, false) => {
                    cx.warning("Supplied key param is a public key")?;
                    Ok(None)
                }
                (Part::Public, true) => {
                    cx.warning("Don't know how to get public key from this private key")?;
                    Ok(None)
                }
                _ => Ok(Some(key)),
            };
        }
        if let Some(certificate) = x509::of_object(object) {
            let key = if part == Part::Public { certificate.public_key() } else { None };
            if key.is_none() {
                errors::store(cx);
            }
            return Ok(key);
        }
    }
    if !value.is_string() && !value.is_object() {
        return Ok(None);
    }
    let text = cx.to_string(value)?;
    let place = Place::argument(argument);
    let key = match part {
        Part::Public => {
            let Some(bio) = material(cx, text.as_bytes(), place)? else { return Ok(None) };
            match Certificate::read(&bio) {
                Some(certificate) => certificate.public_key(),
                None => {
                    // That it is no certificate is no error.
                    errors::discard();
                    match material(cx, text.as_bytes(), place)? {
                        Some(bio) => Key::read_public(&bio),
                        None => return Ok(None),
                    }
                }
            }
        }
        Part::Private => match material(cx, text.as_bytes(), place)? {
            Some(bio) => Key::read_private(&bio, password),
            None => return Ok(None),
        },
    };
    if key.is_none() {
        errors::store(cx);
    }
    Ok(key)
}

/// As [`key`]; the script is told `message` when there is none.
pub fn needed_key(cx: &mut Cx, value: &Value, part: Part, argument: u32, message: &str) -> Res<Option<Key>> {
    let found = key(cx, value, part, None, argument)?;
    if found.is_none() {
        cx.warning(message)?;
    }
    Ok(found)
}

/// Certificates of a file. None: there are none; the script was told.
pub fn certificates_of_file(cx: &mut Cx, file: &PStr, argument: u32) -> Res<Option<Vec<Certificate>>> {
    let Some(path) = path(cx, file.as_bytes(), Place::argument(argument))? else { return Ok(None) };
    let Some(bio) = Bio::file(&path, c"r") else {
        errors::store(cx);
        cx.warning([b"Error opening the file, ".as_slice(), file.as_bytes()].concat())?;
        return Ok(None);
    };
    let found = Certificate::read_all(&bio);
    if found.is_empty() {
        errors::store(cx);
        cx.warning([b"No certificates in file, ".as_slice(), file.as_bytes()].concat())?;
        return Ok(None);
    }
    // The end of the file is no error.
    errors::discard();
    Ok(Some(found))
}

/// A length that the library cannot take.
pub fn check_length(cx: &mut Cx, len: usize, argument: u32) -> Res<()> {
    if i32::try_from(len).is_err() {
        return Err(cx.arg_value_error(argument, "is too long"));
    }
    Ok(())
}
