//! Request input as PHP values: decoded trees become arrays, and the ini settings that decoding obeys become its limits.

use jumbo_abi::request::{Body, BodyLimits, BodyParser, UploadedFiles};
use jumbo_abi::{Cx, Level, PStr, blocking, registry};
use jumbo_engine::superglobals::Superglobals;
use jumbo_server::request::{BodyDecoder, Diagnostic, InputLimits, Key, Map, RawBody, ScriptRequest, ServerValue, Tree, Uploads};
use jumbo_value::{PArray, Value};
use std::path::PathBuf;
use std::sync::Arc;

/// A decoded tree as a PHP array.
pub fn array(map: &Map) -> PArray {
    let mut array = PArray::new();
    for (key, value) in map {
        let value = match value {
            Tree::Leaf(bytes) => Value::bytes(bytes),
            Tree::Int(n) => Value::from(*n),
            Tree::Node(inner) => Value::from(self::array(inner)),
        };
        match key {
            Key::Int(n) => array.set_int(*n, value),
            // Keys are normalised already.
            Key::Bytes(bytes) => array.set_bytes(bytes, value),
        }
    }
    array
}

/// What the ini settings of the process say about request input.
pub fn limits() -> InputLimits {
    let ini = &registry::get().ini;
    let mut limits = InputLimits::default();
    let number = |name: &str| ini.configured(name.as_bytes()).map(|_| u64::try_from(ini.int(name)).unwrap_or(0));
    let count = |name: &str, default: usize| number(name).map_or(default, |n| usize::try_from(n).unwrap_or(usize::MAX));
    let flag = |name: &str, default: bool| ini.configured(name.as_bytes()).map_or(default, |_| ini.bool(name));
    limits.max_input_vars = count("max_input_vars", limits.max_input_vars);
    limits.max_input_nesting_level = count("max_input_nesting_level", limits.max_input_nesting_level);
    limits.max_file_uploads = count("max_file_uploads", limits.max_file_uploads);
    let parts = ini.configured(b"max_multipart_body_parts").map(|_| ini.int("max_multipart_body_parts"));
    limits.max_multipart_body_parts = parts.and_then(|parts| usize::try_from(parts).ok());
    limits.post_max_size = number("post_max_size").unwrap_or(limits.post_max_size);
    limits.upload_max_filesize = number("upload_max_filesize").unwrap_or(limits.upload_max_filesize);
    limits.file_uploads = flag("file_uploads", limits.file_uploads);
    limits.enable_post_data_reading = flag("enable_post_data_reading", limits.enable_post_data_reading);
    let folder = ini.str("upload_tmp_dir");
    if !folder.is_empty() {
        limits.upload_tmp_dir = Some(PathBuf::from(std::ffi::OsStr::new(&*String::from_utf8_lossy(folder))));
    }
    let separators = ini.str("arg_separator.input");
    if !separators.is_empty() {
        limits.arg_separators = separators.to_vec();
    }
    limits
}

/// The superglobals of a request, and what PHP reports about its input.
pub fn superglobals(request: &ScriptRequest) -> std::io::Result<(Superglobals, Vec<Diagnostic>)> {
    let mut server = PArray::with_hash_capacity(48);
    request.server_variables(&mut |name, value| {
        let value = match value {
            ServerValue::Bytes(bytes) => Value::bytes(bytes),
            ServerValue::Int(n) => Value::from(n),
            ServerValue::Float(f) => Value::from(f),
        };
        // Header names such as `HTTP_1` are no integers: nothing to normalise.
        server.set_bytes(name, value);
    });
    let post = request.decode_post()?;
    let get = request.decode_get();
    let cookies = request.decode_cookies();
    let mut diagnostics = request.diagnostics.clone();
    diagnostics.extend(post.diagnostics);
    diagnostics.extend(get.diagnostics);
    diagnostics.extend(cookies.diagnostics);
    let globals = Superglobals {
        server,
        get: array(&get.variables),
        post: array(&post.variables),
        cookie: array(&cookies.variables),
        files: array(&request.files),
        argv: None,
        query_string: request.query_string.to_vec(),
    };
    Ok((globals, diagnostics))
}

/// request_parse_body: decodes the body that was left to the script.
fn parse_body(cx: &mut Cx, wanted: &BodyLimits) -> Result<(PArray, PArray), String> {
    let body = std::mem::take(&mut cx.state::<Body>().bytes);
    let content_type = cx.state::<BodyParser>().content_type.clone();
    let mut limits = limits();
    limits.enable_post_data_reading = true;
    let set = |to: &mut usize, from: Option<i64>| {
        if let Some(number) = from {
            *to = usize::try_from(number).unwrap_or(0);
        }
    };
    set(&mut limits.max_file_uploads, wanted.max_file_uploads);
    set(&mut limits.max_input_vars, wanted.max_input_vars);
    if let Some(parts) = wanted.max_multipart_body_parts {
        limits.max_multipart_body_parts = usize::try_from(parts).ok();
    }
    limits.post_max_size = wanted.post_max_size.map_or(limits.post_max_size, |size| u64::try_from(size).unwrap_or(0));
    limits.upload_max_filesize = wanted.upload_max_filesize.map_or(limits.upload_max_filesize, |size| u64::try_from(size).unwrap_or(0));
    limits.has_other_threads = cx.shares_its_thread();
    // What the client announced is what came; the limit is looked at when all of it is there.
    let mut decoder = BodyDecoder::new(b"POST", &content_type, None, &limits);
    let mount = decoder.far(body.len());
    let decode = move || -> std::io::Result<_> {
        decoder.push(&body)?;
        let decoded = decoder.finish()?;
        let post = decoded.post.decode(&decoded.raw, &limits)?;
        Ok((decoded, post))
    };
    let (decoded, post) = blocking::on(cx, mount, decode).map_err(|e| e.to_string())?;
    if let Some(diagnostic) = decoded.diagnostics.iter().chain(&post.diagnostics).next() {
        let text = &diagnostic.message;
        return Err(text.strip_prefix("PHP Request Startup: ").unwrap_or(text).to_string());
    }
    cx.state::<UploadedFiles>().files = Some(Box::new(RequestUploads(decoded.uploads)));
    Ok((array(&post.variables), array(&decoded.files)))
}

/// Gives the instance the raw body and the uploaded files.
pub fn attach_body(cx: &mut Cx, content_type: &[u8], raw: &RawBody, uploads: Arc<Uploads>) -> std::io::Result<()> {
    *cx.state::<BodyParser>() = BodyParser { parse: Some(parse_body), content_type: content_type.to_vec() };
    if !raw.is_empty() {
        cx.state::<Body>().bytes = raw.read_all()?.to_vec();
    }
    cx.state::<UploadedFiles>().files = Some(Box::new(RequestUploads(uploads)));
    Ok(())
}

struct RequestUploads(Arc<Uploads>);

impl jumbo_abi::request::Uploads for RequestUploads {
    fn contains(&self, path: &[u8]) -> bool {
        self.0.contains(path)
    }
    fn release(&self, path: &[u8]) -> bool {
        self.0.release(path)
    }
}

/// Reports what was wrong with the input, before the script starts.
pub fn report(cx: &mut Cx, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        if diagnostic.log_only && cx.ini.bool("display_errors") {
            continue;
        }
        let level = match diagnostic.level {
            jumbo_server::request::Level::Warning => Level::Warning,
            jumbo_server::request::Level::Notice => Level::Notice,
        };
        let unknown = PStr::new(b"Unknown");
        // No script runs yet: there is nobody to throw to.
        let _ = jumbo_interp::errors::raise_at(cx, level, diagnostic.message.as_bytes(), unknown, 0);
    }
}
