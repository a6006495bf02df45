//! `multipart/form-data`, parsed while it arrives.
//!
//! Bytes are pushed in pieces of any size; fields are spooled until the script begins (bounded by `post_max_size`, which the caller
//! watches), files go to temporary files at once. The grammar is PHP's: parts are separated by a *line* that is
//! exactly `--boundary`, a part ends at a line feed followed by `--boundary`, and the closing `--boundary--` is
//! just a line that separates nothing, so that parts after it count too.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use jumbo_abi::mounts::Mount;
use memchr::memmem;

use super::part_header::{self, PartHeader};
use super::spool::{self, Charge, Spool};
use super::tree::{Map, Tree};
use super::uploads::{TemporaryFile, Uploads};
use super::variables::{Decoded, register};
use super::{Diagnostic, InputLimits, Level};

/// Header blocks and lines between parts longer than this end the parsing: nothing legitimate is.
const HEADER_BYTES_MAX: usize = 256 << 10;

/// No more of a number is looked at.
const NUMBER_BYTES_MAX: usize = 64;

/// The size of the pieces in which PHP reads bodies.
const LIMIT_BLOCK_BYTES: u64 = 5 << 10;

const UPLOAD_ERR_OK: i64 = 0;
const UPLOAD_ERR_INI_SIZE: i64 = 1;
const UPLOAD_ERR_FORM_SIZE: i64 = 2;
const UPLOAD_ERR_PARTIAL: i64 = 3;
const UPLOAD_ERR_NO_FILE: i64 = 4;
const UPLOAD_ERR_NO_TMP_DIR: i64 = 6;
const UPLOAD_ERR_CANT_WRITE: i64 = 7;

/// What a body has defined.
#[derive(Debug)]
pub(super) struct Form {
    pub fields: Fields,
    pub files: Map,
    pub uploads: Arc<Uploads>,
}

/// The fields of a body and what was wrong with it, in their order.
#[derive(Debug)]
pub struct Fields {
    spool: Spool,
    events: Vec<Event>,
}

#[derive(Clone, Debug)]
enum Event {
    /// Where its name and its value are in the spool.
    Field { name: Range<u64>, value: Range<u64> },
    Diagnostic(Diagnostic),
}

impl Fields {
    pub(super) fn decode(&self, limits: &InputLimits) -> io::Result<Decoded> {
        let mut decoded = Decoded::default();
        for event in &self.events {
            match event {
                Event::Field { name, value } => {
                    let value = Tree::Leaf(self.spool.read(value.clone())?);
                    let name = self.spool.read(name.clone())?;
                    decoded.diagnostics.extend(register(&mut decoded.variables, &name, value, limits));
                }
                Event::Diagnostic(diagnostic) => decoded.diagnostics.push(diagnostic.clone()),
            }
        }
        Ok(decoded)
    }

    pub(super) fn is_far(&self) -> Option<Mount> {
        self.spool.is_far()
    }

    pub(super) fn brought_near(&self) -> io::Result<Fields> {
        Ok(Fields { spool: self.spool.brought_near()?, events: self.events.clone() })
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.events.push(Event::Diagnostic(diagnostic));
    }
}

#[derive(Debug)]
enum State {
    /// Before a separating line.
    Lines,
    /// In a part's headers; the bytes of the buffer below this offset hold no empty line.
    Headers(usize),
    Field(Field),
    File(Upload),
    /// A part that PHP passes over.
    Ignored,
    /// The body is not worth reading on.
    Done,
}

/// A field whose value arrives.
#[derive(Debug)]
struct Field {
    /// Where its name is in the spool, and where its value begins.
    name: Range<u64>,
    value_from: u64,
    /// It is MAX_FILE_SIZE, whose value counts at once: the beginning of that.
    file_size_max: Option<Vec<u8>>,
    /// There are too many fields: this one is not kept.
    is_surplus: bool,
}

#[derive(Debug)]
struct Upload {
    /// The field's name with its brackets; for a nameless one, a running number.
    name: Vec<u8>,
    filename: Vec<u8>,
    content_type: Vec<u8>,
    error: i64,
    size: u64,
    target: Option<TemporaryFile>,
}

#[derive(Debug)]
pub(super) struct MultipartParser {
    limits: InputLimits,
    /// The file system of its files, if it may not answer.
    mount: Option<Mount>,
    /// `--boundary`.
    line: Vec<u8>,
    /// `\n--boundary`.
    end: memmem::Finder<'static>,
    buffer: Vec<u8>,
    state: State,
    form: Form,
    /// What is in memory beside the spool.
    charge: Charge,
    /// The first failure of the spool; what comes after it has no meaning.
    failure: Option<io::Error>,
    fields: usize,
    /// Parts that have begun.
    parts: usize,
    files_left: usize,
    /// Set by a malformed file name or too many files; PHP then passes over every later file too.
    skip_files: bool,
    nameless: usize,
    /// The value of a MAX_FILE_SIZE field that has come by; 0 means no limit, and below 0 nothing fits.
    form_size_max: i64,
}

/// Finds the boundary in a Content-Type, by PHP's rules.
pub(super) fn boundary(content_type: &[u8]) -> Result<Vec<u8>, Diagnostic> {
    let missing = || Diagnostic::warning("Missing boundary in multipart/form-data POST data");
    let lower = content_type.to_ascii_lowercase();
    let at = memmem::find(&lower, b"boundary").ok_or_else(missing)?;
    let equals = memchr::memchr(b'=', &content_type[at..]).ok_or_else(missing)?;
    let value = &content_type[at + equals + 1..];
    match value {
        [b'"', quoted @ ..] => match memchr::memchr(b'"', quoted) {
            Some(end) => Ok(quoted[..end].to_vec()),
            None => Err(Diagnostic::warning(
                "Invalid boundary in multipart/form-data POST data",
            )),
        },
        _ => Ok(value[..memchr::memchr2(b',', b';', value).unwrap_or(value.len())].to_vec()),
    }
}

impl MultipartParser {
    pub(super) fn new(boundary: &[u8], limits: InputLimits) -> MultipartParser {
        let mut line = b"--".to_vec();
        line.extend_from_slice(boundary);
        let mut end = b"\n".to_vec();
        end.extend_from_slice(&line);
        MultipartParser {
            line,
            end: memmem::Finder::new(&end).into_owned(),
            buffer: Vec::new(),
            state: State::Lines,
            form: Form {
                fields: Fields { spool: Spool::new(&limits), events: Vec::new() },
                files: Map::default(),
                uploads: Arc::default(),
            },
            charge: Charge::new(&limits.body_memory),
            failure: None,
            fields: 0,
            parts: 0,
            files_left: limits.max_file_uploads,
            skip_files: !limits.file_uploads,
            nameless: 0,
            form_size_max: 0,
            mount: limits.mount(),
            limits,
        }
    }

    /// Any bytes may make files.
    pub(super) fn far(&self) -> Option<Mount> {
        self.mount
    }

    pub(super) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if matches!(self.state, State::Done) {
            return Ok(());
        }
        self.buffer.extend_from_slice(bytes);
        self.advance(false);
        if !self.count_memory() {
            self.buffer.shrink_to_fit();
            self.form.fields.events.shrink_to_fit();
            if !self.count_memory() {
                return Err(spool::no_room());
            }
        }
        self.failure.take().map_or(Ok(()), Err)
    }

    /// The body has ended, in the middle of something or not.
    pub(super) fn finish(mut self) -> io::Result<Form> {
        self.advance(true);
        self.failure.map_or(Ok(self.form), Err)
    }

    /// False: all bodies together have too much in memory.
    fn count_memory(&mut self) -> bool {
        let events = self.form.fields.events.capacity() * size_of::<Event>();
        self.charge.set(self.buffer.capacity() + events)
    }

    /// Adds bytes to the spool.
    fn spool(&mut self, bytes: &[u8]) -> Range<u64> {
        match self.form.fields.spool.append(bytes) {
            Ok(range) => range,
            Err(error) => {
                self.failure.get_or_insert(error);
                0..0
            }
        }
    }

    fn advance(&mut self, at_end: bool) {
        let buffer = std::mem::take(&mut self.buffer);
        let mut rest: &[u8] = &buffer;
        while let Some(after) = self.step(rest, at_end) {
            rest = after;
        }
        if matches!(self.state, State::Done) {
            return;
        }
        let keep = buffer.len() - rest.len();
        self.buffer = buffer;
        self.buffer.drain(..keep);
    }

    /// Consumes one thing from `input` and says what is left, or nothing when it must see more.
    fn step<'a>(&mut self, input: &'a [u8], at_end: bool) -> Option<&'a [u8]> {
        match &mut self.state {
            State::Lines => {
                let end = memchr::memchr(b'\n', input);
                if end.is_none() && input.len() > HEADER_BYTES_MAX {
                    // Whatever this line is, it does not separate parts: only its end matters.
                    return Some(&input[input.len() - 1..]);
                }
                let end = end?;
                let line = input[..end].strip_suffix(b"\r").unwrap_or(&input[..end]);
                if line == self.line {
                    self.state = State::Headers(0);
                    if !self.count_part() {
                        return None;
                    }
                }
                Some(&input[end + 1..])
            }
            State::Headers(seen) => match find_empty_line(input, *seen) {
                Some((block, after)) => {
                    self.begin_part(part_header::parse(&input[..block]));
                    Some(&input[after..])
                }
                None if at_end => {
                    // A line that is cut off counts as the part's content.
                    let block = memchr::memrchr(b'\n', input).map_or(0, |at| at + 1);
                    self.begin_part(part_header::parse(&input[..block]));
                    self.take(&input[block..]);
                    self.end_part(true);
                    None
                }
                None if input.len() > HEADER_BYTES_MAX => {
                    self.garbled();
                    None
                }
                None => {
                    *seen = input.len().saturating_sub(3);
                    None
                }
            },
            State::Field(_) | State::File(_) | State::Ignored => {
                if let Some(at) = self.end.find(input) {
                    let body = input[..at].strip_suffix(b"\r").unwrap_or(&input[..at]);
                    self.take(body);
                    self.end_part(false);
                    return Some(&input[at + 1..]);
                }
                let mut safe = input.len() - partial_match(input, self.end.needle());
                if input[..safe].last() == Some(&b'\r') && (safe < input.len() || !at_end) {
                    safe -= 1;
                }
                self.take(&input[..safe]);
                if at_end {
                    self.end_part(true);
                    return None;
                }
                (safe > 0).then(|| &input[safe..])
            }
            State::Done => None,
        }
    }

    /// One part more; false when there are too many, which ends everything.
    fn count_part(&mut self) -> bool {
        let default = self.limits.max_input_vars.saturating_add(self.limits.max_file_uploads);
        let most = self.limits.max_multipart_body_parts.unwrap_or(default);
        self.parts += 1;
        if self.parts > most {
            self.form.fields.report(Diagnostic::warning(format_args!(
                "Multipart body parts limit exceeded {most}. To increase the limit change max_multipart_body_parts in php.ini."
            )));
            self.state = State::Done;
            return false;
        }
        true
    }

    fn garbled(&mut self) {
        self.form.fields.report(Diagnostic::warning("File Upload Mime headers garbled"));
        self.state = State::Done;
    }

    fn begin_part(&mut self, header: PartHeader) {
        if !header.disposition {
            self.state = State::Lines;
            return;
        }
        match (header.name, header.filename) {
            (None, None) => self.garbled(),
            (Some(name), None) => self.state = State::Field(self.begin_field(&name)),
            (name, Some(filename)) => {
                self.state = match self.begin_file(name, filename, header.content_type) {
                    Some(upload) => State::File(upload),
                    None => State::Ignored,
                }
            }
        }
    }

    fn begin_field(&mut self, name: &[u8]) -> Field {
        let is_surplus = self.fields >= self.limits.max_input_vars;
        let name_at = if is_surplus { 0..0 } else { self.spool(name) };
        let file_size_max = name.eq_ignore_ascii_case(b"MAX_FILE_SIZE").then(Vec::new);
        Field { value_from: name_at.end, name: name_at, file_size_max, is_surplus }
    }

    fn begin_file(
        &mut self,
        name: Option<Vec<u8>>,
        filename: Vec<u8>,
        content_type: Option<Vec<u8>>,
    ) -> Option<Upload> {
        if self.skip_files {
            return None;
        }
        if self.files_left == 0 {
            self.skip_files = true;
            self.form.fields.report(Diagnostic::warning(
                "Maximum number of allowable file uploads has been exceeded",
            ));
            return None;
        }
        let name = match name {
            Some(name) if !well_bracketed(&name) => {
                self.skip_files = true;
                return None;
            }
            Some(name) => name,
            None => {
                self.nameless += 1;
                (self.nameless - 1).to_string().into_bytes()
            }
        };
        let mut upload = Upload {
            name,
            filename,
            content_type: content_type.unwrap_or_default(),
            error: UPLOAD_ERR_OK,
            size: 0,
            target: None,
        };
        if upload.filename.is_empty() {
            upload.error = UPLOAD_ERR_NO_FILE;
            return Some(upload);
        }
        self.files_left -= 1;
        match self.create_target() {
            Ok(target) => upload.target = Some(target),
            Err(_) => upload.error = UPLOAD_ERR_NO_TMP_DIR,
        }
        Some(upload)
    }

    /// Opens a temporary file, in the system's folder with a notice when the configured one does not do.
    fn create_target(&mut self) -> io::Result<TemporaryFile> {
        if let Some(folder) = &self.limits.upload_tmp_dir {
            if let Ok(target) = TemporaryFile::create(folder, self.mount) {
                return Ok(target);
            }
            self.form.fields.report(Diagnostic {
                level: Level::Notice,
                message: "PHP Request Startup: file created in the system's temporary directory"
                    .into(),
                log_only: false,
            });
        }
        TemporaryFile::create(&std::env::temp_dir(), self.mount)
    }

    /// Takes bytes of the current part.
    fn take(&mut self, bytes: &[u8]) {
        match &mut self.state {
            State::Field(field) => {
                if let Some(digits) = &mut field.file_size_max {
                    let room = NUMBER_BYTES_MAX - digits.len();
                    digits.extend_from_slice(&bytes[..bytes.len().min(room)]);
                }
                if !field.is_surplus {
                    self.spool(bytes);
                }
            }
            State::File(upload) => {
                upload.take(bytes, self.limits.upload_max_filesize, self.form_size_max)
            }
            State::Lines | State::Headers(_) | State::Ignored | State::Done => {}
        }
    }

    fn end_part(&mut self, truncated: bool) {
        match std::mem::replace(&mut self.state, State::Lines) {
            State::Field(field) => self.end_field(field),
            State::File(upload) => self.end_file(upload, truncated),
            State::Done => self.state = State::Done,
            State::Lines | State::Headers(_) | State::Ignored => {}
        }
    }

    fn end_field(&mut self, field: Field) {
        if let Some(digits) = &field.file_size_max {
            self.form_size_max = leading_number(digits);
        }
        self.fields += 1;
        let fields = &mut self.form.fields;
        if !field.is_surplus {
            let value = field.value_from..fields.spool.len();
            fields.events.push(Event::Field { name: field.name, value });
        } else if self.fields == self.limits.max_input_vars.saturating_add(1) {
            fields.report(Diagnostic::too_many_variables(&self.limits));
        }
    }

    fn end_file(&mut self, mut upload: Upload, truncated: bool) {
        if truncated && upload.error == UPLOAD_ERR_OK {
            upload.fail(UPLOAD_ERR_PARTIAL);
        }
        let Upload {
            name,
            filename,
            content_type,
            error,
            size,
            target,
        } = upload;
        let ok = error == UPLOAD_ERR_OK;
        let tmp_name = match target {
            Some(file) if ok => {
                let path = file.keep();
                let bytes = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec();
                self.form.uploads.add(path, self.mount);
                bytes
            }
            _ => Vec::new(),
        };
        // Browsers of old sent whole paths, of either system.
        let base = filename
            .rsplit(|b| matches!(b, b'/' | b'\\'))
            .next()
            .unwrap_or_default()
            .to_vec();
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        let split = memchr::memchr(b'[', &name).unwrap_or(name.len());
        let mut set = |aspect: &str, value: Tree| {
            let mut full = name[..split].to_vec();
            if full.is_empty() {
                return;
            }
            full.extend_from_slice(format!("[{aspect}]").as_bytes());
            full.extend_from_slice(&name[split..]);
            if let Some(diagnostic) = register(&mut self.form.files, &full, value, &self.limits) {
                self.form.fields.report(diagnostic);
            }
        };
        set("name", Tree::Leaf(base));
        set("full_path", Tree::Leaf(filename));
        set(
            "type",
            Tree::Leaf(if ok { content_type } else { Vec::new() }),
        );
        set("tmp_name", Tree::Leaf(tmp_name));
        set("error", Tree::Int(error));
        set("size", Tree::Int(if ok { size } else { 0 }));
    }
}

impl Upload {
    fn take(&mut self, bytes: &[u8], ini_size_max: u64, form_size_max: i64) {
        if bytes.is_empty() {
            return;
        }
        self.size = self.size.saturating_add(bytes.len() as u64);
        let over_ini = ini_size_max > 0 && self.size > ini_size_max;
        let over_form =
            form_size_max != 0 && u64::try_from(form_size_max).map_or(true, |max| self.size > max);
        match (over_ini, over_form) {
            (false, false) => {
                if let Some(target) = &mut self.target
                    && target.write_all(bytes).is_err()
                {
                    self.fail(UPLOAD_ERR_CANT_WRITE);
                }
            }
            _ if !self.is_counted() => {}
            (false, true) => self.fail(UPLOAD_ERR_FORM_SIZE),
            (true, false) => self.fail(UPLOAD_ERR_INI_SIZE),
            (true, true) => {
                // PHP looks at its limits once per block: of two that lie in one, its own comes first.
                let block = |size: u64| size.saturating_sub(1) / LIMIT_BLOCK_BYTES;
                let first = block(ini_size_max) <= block(u64::try_from(form_size_max).unwrap_or(0));
                self.fail(if first {
                    UPLOAD_ERR_INI_SIZE
                } else {
                    UPLOAD_ERR_FORM_SIZE
                });
            }
        }
    }

    /// Whether this is a file whose size decides about it.
    fn is_counted(&self) -> bool {
        matches!(
            self.error,
            UPLOAD_ERR_OK | UPLOAD_ERR_INI_SIZE | UPLOAD_ERR_FORM_SIZE
        )
    }

    fn fail(&mut self, error: i64) {
        self.error = error;
        self.target = None;
    }
}

/// Finds where a header block ends and where the body begins. Bytes before `from` are known to hold no end.
fn find_empty_line(input: &[u8], from: usize) -> Option<(usize, usize)> {
    if from == 0 {
        if input.starts_with(b"\n") {
            return Some((0, 1));
        }
        if input.starts_with(b"\r\n") {
            return Some((0, 2));
        }
    }
    let mut at = from;
    while let Some(found) = memchr::memchr(b'\n', input.get(at..)?) {
        let next = at + found + 1;
        match input.get(next..)? {
            [b'\n', ..] => return Some((next - 1, next + 1)),
            [b'\r', b'\n', ..] => return Some((next - 1, next + 2)),
            _ => at = next,
        }
    }
    None
}

/// How many bytes at the end of `input` could be the beginning of `needle`.
fn partial_match(input: &[u8], needle: &[u8]) -> usize {
    let longest = input.len().min(needle.len().saturating_sub(1));
    (1..=longest)
        .rev()
        .find(|&n| input[input.len() - n..] == needle[..n])
        .unwrap_or(0)
}

/// Whether a file field's name is plain, or plain followed by `[...]` groups and nothing else.
fn well_bracketed(name: &[u8]) -> bool {
    let mut open = false;
    for (at, &b) in name.iter().enumerate() {
        match b {
            b'[' if open => return false,
            b'[' => open = true,
            b']' if !open => return false,
            b']' => {
                open = false;
                if name.get(at + 1).is_some_and(|&next| next != b'[') {
                    return false;
                }
            }
            _ => {}
        }
    }
    !open
}

/// The number at the beginning of a value, 0 when there is none.
fn leading_number(value: &[u8]) -> i64 {
    let text = value.trim_ascii_start();
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let magnitude = digits
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .fold(0i64, |n, b| {
            n.saturating_mul(10).saturating_add(i64::from(b - b'0'))
        });
    if negative { -magnitude } else { magnitude }
}
